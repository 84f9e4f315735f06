"""The layers of the code, stated once: who may import whom, and how large a file may be."""

from pathlib import Path

import grimp
import networkx
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "xlgo_dataset": ROOT / "xlgo_dataset",
    "xlgo_metric": ROOT / "xlgo_metric",
    "xlgo_lm_eval": ROOT / "lm_eval_tasks" / "xlgo_lm_eval",
    "xlgo_cli": ROOT / "scripts" / "xlgo_cli",
}
LAYERS = {
    "xlgo_dataset": ("xlgo_metric",),
    "xlgo_metric": (),
    "xlgo_lm_eval": ("xlgo_dataset", "xlgo_metric"),
    "xlgo_cli": ("xlgo_dataset", "xlgo_metric", "xlgo_lm_eval"),
}
"""A package and those that it may import."""

SHARED = ("xlgo_metric.core", "xlgo_metric.hook", "xlgo_metric.option")
"""All that the data may import of the metric; these import neither its rooms nor its families."""

WITHIN = {
    "xlgo_dataset": ("core", "text", "families", "hub"),
    "xlgo_metric": ("reading", "language", "mathematics", "statistics", "comparison", "families"),
}
"""The rooms of a package: none imports a later one, but ``families`` only from the registries."""

SCRIPTS = (
    ("folders", "workers", "arguments"),
    ("display", "simulate"),
    ("logs",),
    ("page",),
    ("parallel", "language"),
    ("leaderboard",),
    ("export", "harness"),
    ("plan",),
    ("commands",),
    ("notebook", "xlgo"),
    ("cli",),
    ("__main__",),
)
"""The rooms of the scripts from the ground up: a room imports those of lower floors only, none of
its own floor. ``commands`` are the modules below."""

COMMANDS = ("harness.run", "page.commands")
"""Modules that only open a command, and call whatever it needs; ``cli`` and ``notebook`` alone
import them."""

MODULES = 15
"""Most modules of a folder, ``__init__`` left out."""


@pytest.fixture(scope="module")
def imports() -> networkx.DiGraph:
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    found = networkx.DiGraph()
    for module in graph.modules:
        for target in graph.find_modules_directly_imported_by(module):
            found.add_edge(module, target)
    return found


def test_no_import_circle(imports: networkx.DiGraph) -> None:
    assert [sorted(c) for c in networkx.strongly_connected_components(imports) if len(c) > 1] == []


def test_packages_import_only_what_lies_below(imports: networkx.DiGraph) -> None:
    for module, target in imports.edges:
        above, below = module.split(".")[0], target.split(".")[0]
        assert above == below or below in LAYERS[above], (module, target)


def test_the_data_share_only_leaves_with_the_metric(imports: networkx.DiGraph) -> None:
    for module, target in imports.edges:
        if module.startswith("xlgo_dataset") and target.startswith("xlgo_metric"):
            assert target in SHARED, (module, target)
    below = {found for leaf in SHARED for found in networkx.descendants(imports, leaf)}
    assert below <= {*SHARED, "xlgo_metric.table", "xlgo_metric.version"}


def test_rooms_import_only_what_lies_below(imports: networkx.DiGraph) -> None:
    for module, target in imports.edges:
        package, room = [*module.split("."), ""][:2]
        other, below = [*target.split("."), ""][:2]
        rooms = WITHIN.get(package, ())
        if package == other and room in rooms and below in rooms:
            assert rooms.index(below) <= rooms.index(room), (module, target)


def test_scripts_have_no_arrow_back_up(imports: networkx.DiGraph) -> None:
    floors = {room: floor for floor, rooms in enumerate(SCRIPTS) for room in rooms}
    for module, target in imports.edges:
        if not (module.startswith("xlgo_cli.") and target.startswith("xlgo_cli.")):
            continue
        above, below = _room(module), _room(target)
        assert above == below or floors[below] < floors[above], (module, target)


def _room(module: str) -> str:
    inner = module.partition(".")[2]
    return "commands" if inner in COMMANDS else inner.split(".")[0]


def test_families_do_not_know_each_other(imports: networkx.DiGraph) -> None:
    for module, target in imports.edges:
        if ".families." in module and ".families." in target:
            assert module.split(".")[2] == target.split(".")[2], (module, target)


def test_shared_code_names_no_family() -> None:
    import xlgo_dataset as xd

    for package in PACKAGES.values():
        for path in package.rglob("*.py"):
            where = path.relative_to(package).as_posix()
            if where.startswith("families/"):
                continue
            text = path.read_text("utf-8")
            for name in xd.FAMILIES:
                if where.startswith(f"{name}/"):  # its task files and its chains
                    continue
                assert f'"{name}"' not in text, (where, name)
                assert f"families.{name}" not in text, (where, name)


def test_files_and_folders_stay_small() -> None:
    for package in [*PACKAGES.values(), ROOT / "tests", ROOT / "benchmarks"]:
        for path in package.rglob("*.py"):
            assert len(path.read_text("utf-8").splitlines()) <= 600, path
    for package in [*PACKAGES.values(), ROOT / "tests"]:
        for folder in {path.parent for path in package.rglob("*.py")}:
            modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
            assert len(modules) <= MODULES, (folder, len(modules))
