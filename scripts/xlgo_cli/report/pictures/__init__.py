"""Pictures of a report: inline charts of the page, and plots for files."""
