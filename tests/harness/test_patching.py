"""An attribute of another package stands as it did, whatever happened meanwhile."""

from __future__ import annotations

import pytest

from xlgo_lm_eval.patches import patched


class Base:
    """Has what it has itself."""

    value = 1

    @classmethod
    def name(cls) -> str:
        return cls.__name__


class Heir(Base):
    """Has what it inherits."""


@pytest.mark.parametrize("owner", [Base, Heir, Heir()])
def test_own_and_inherited_attributes_come_back(owner: object) -> None:
    before = dict(vars(owner))
    with pytest.raises(ZeroDivisionError), patched(owner, "value", 2), patched(owner, "value", 0):
        print(1 / owner.value)  # type: ignore[attr-defined]
    assert dict(vars(owner)) == before
    assert owner.value == 1  # type: ignore[attr-defined]


def test_a_method_of_a_class_stays_one() -> None:
    with patched(Base, "name", lambda: "other"):
        assert Base.name() == "other"
    assert (Base.name(), Heir.name()) == ("Base", "Heir")
