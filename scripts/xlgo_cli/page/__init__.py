"""Pages and files from answers: what stands in them, and the commands that write them."""
