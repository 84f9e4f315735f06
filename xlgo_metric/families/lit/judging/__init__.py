"""The judge of translations: its prompts and replies, and the checks of it."""
