from .adjustment import adjusted as adjusted
from .compare import Cell as Cell
from .compare import Comparison as Comparison
from .compare import compare as compare
from .contrast import Contrast as Contrast
from .curve import Curve as Curve
from .table import AnswerTable as AnswerTable
