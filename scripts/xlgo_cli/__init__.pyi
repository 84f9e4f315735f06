from .notebook.functions import Compared as Compared
from .notebook.functions import Scores as Scores
from .notebook.functions import compare as compare
from .notebook.functions import report as report
from .notebook.functions import run as run
from .notebook.functions import score as score
