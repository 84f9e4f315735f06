"""One comparison for every family: answers in a table, two sides of it on the same questions.

``AnswerTable`` has a row for each graded answer; ``compare`` puts the languages, models, conditions
or runs in it side by side. Reports, ``xlgo compare``, leaderboards and parallel benchmarks read
what it returns.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
