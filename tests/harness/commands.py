"""Commands that several tests begin with."""

SMALL = ["--preset", "smoke", "--levels", "2", "--per-level", "1", "--languages", "en,te"]
SIM = ["run", "--model", "xlgo-sim", *SMALL]
