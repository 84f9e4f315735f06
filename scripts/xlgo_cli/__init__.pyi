from .notebook.functions import (
    Compared as Compared,
    Scores as Scores,
    compare as compare,
    report as report,
    run as run,
    score as score,
)
