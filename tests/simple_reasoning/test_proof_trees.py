"""The word problems against the paper's printed examples and its semantics."""

import pytest

from .checks.proof import answers, parse

# Paper 002, appendix I.4 (prompt example) and I.7.
BASIC = """Courtney has 14 more apples than Peggie. Ida has 31 apples. The number of apples that
Peggie has more than Courtney is equal to the difference between the number of apples that Amy and
Ida have. Dian has 13 apples. Prudence gives 7 apples to Dian. Jose has 13 more apples than Agatha.
Wilson has 40 apples. The number of apples that Agatha has more than Jose is equal to the difference
between the number of apples that Georgia and Wilson have. Lacie has 13 more apples than Federico.
The number of apples that Federico has more than Lacie is equal to the difference between the number
of apples that Annabelle and Georgia have. The number of apples that Dian has more than Amy is equal
to the difference between the number of apples that Nellie and Annabelle have. Arleth has 4 more
apples than Mathew. The number of apples that Mathew has more than Arleth is equal to the difference
between the number of apples that Lindsay and Nellie have. How many apples does Lindsay have?"""
DIVERSE = """Milo has 24 blueberries. The number of blueberries that Milo has increases by 19/6
times. Aubrey has 1 more blueberry than Larue. Gregory has 3 blueberries. The number of
blueberries that Larue has more than Aubrey is equal to the difference between the number of
blueberries that Thaddeus and Gregory have. Zane has 7 blueberries. The number of blueberries that
Zane has increases by 9/7 times. Odell has 21 blueberries. Christian has 3 blueberries. If
Christian has more than 5 blueberries, Christian will transfer their blueberries to Odell. Milo
splits all the blueberries she owns equally among Thaddeus and Della. Zane and Odell redistribute
their blueberries to ensure each has an equal amount. Thaddeus has 17 more blueberries than Zane
and Artie combined. Keegan has 7 more blueberries than Aliya and 7 fewer blueberries than Everett.
Aliya has 0 blueberries. Margarita has 1 blueberry. If Margarita has more than 4 blueberries,
Margarita will transfer their blueberries to Artie. The number of blueberries that Everett has
increases by 17/14 times. If Everett has more than 2 blueberries, Everett will transfer their
blueberries to Artie. How many blueberries does Artie have?"""


@pytest.mark.parametrize(("text", "number"), [(BASIC, 13), (DIVERSE, 25)])
def test_the_printed_examples(text, number):
    statements, asked = parse(" ".join(text.split()))
    assert answers(statements, asked) == {number}
