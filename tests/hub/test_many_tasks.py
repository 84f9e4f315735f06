"""The card and the recipe of an export of three tasks with unlike languages, counted by hand."""

from pathlib import Path
from typing import Any

from xlgo_cli.export import card, recipe
from xlgo_cli.export.plan import Request

LANGUAGES = {"slt": ["en", "te"], "dsa": ["en", "hi", "te"], "proof_tree": ["ja"]}
SPLITS = ["test", "validation"]
LEVELS = {"slt": [4, 8, 20], "dsa": [5], "proof_tree": None}
ROWS = {
    (task, code, split): 10 * len(task) + 3 * len(code) + place + number
    for task, codes in LANGUAGES.items()
    for place, code in enumerate(codes)
    for number, split in enumerate(SPLITS)
}
"""In the first shard of two; the second has one row."""


def made(**options: Any) -> Any:
    """A manifest whose shards are out of order."""
    shards = [
        {
            "path": f"{task}_{code}/{split}-{number:05d}-of-00002.parquet", "split": split,
            "rows": 1 if number else n, "size": 1000 * n + number, "sha256": "0" * 64,
        }
        for number in (1, 0)
        for (task, code, split), n in reversed(ROWS.items())
    ]  # fmt: skip
    tasks = {
        task: {
            "family": "simple_reasoning" if task == "proof_tree" else "xlgobench",
            "data": 3 if task == "dsa" else 1,
            "languages": codes,
            "configs": {
                task: [f"{task}_{code}" for code in codes],
                **{f"{task}_{code}": [f"{task}_{code}"] for code in codes},
            },
            "levels": LEVELS[task],
            "options": {
                "text": "revised" if task == "dsa" else "paper", "seed": 7,
                **({"n": 5} if task == "proof_tree" else {"preset": "lite", "per_level": 9}),
            },
        }
        for task, codes in LANGUAGES.items()
    }  # fmt: skip
    found = {
        "tasks": tasks, "splits": SPLITS, "options": {"seed": 7, "text": "paper"} | options,
        "wording": None, "code": "abcdef0123456789", "pyarrow": "1", "version": "0.2",
    }  # fmt: skip
    return {
        "schema": recipe.SCHEMA, "command": recipe.command(found),
        "signature": recipe.signature(found), "recipe": found, "shards": shards,
    }  # fmt: skip


def rows(task: str = "", code: str = "", split: str = "") -> int:
    return sum(
        n + 1
        for (own, language, part), n in ROWS.items()
        if task in ("", own) and code in ("", language) and split in ("", part)
    )


def test_prompts_are_counted_by_task_and_in_all() -> None:
    manifest = made()
    assert card.count_prompts(manifest) == rows()
    assert {task: card.count_prompts(manifest, task) for task in LANGUAGES} == {
        task: rows(task) for task in LANGUAGES
    }


def test_every_configuration_has_its_own_files_and_sizes() -> None:
    head = card.metadata(made())
    assert head["language"] == ["en", "te", "hi", "ja"]
    assert head["size_categories"] == ["n<1K"]
    info = {one["config_name"]: one for one in head["dataset_info"]}
    assert info.keys() == {
        *LANGUAGES, *(f"{task}_{code}" for task, codes in LANGUAGES.items() for code in codes),
    }  # fmt: skip
    for name, one in info.items():
        (task,) = (task for task in LANGUAGES if name == task or name.startswith(f"{task}_"))
        code = name.removeprefix(task).removeprefix("_")
        assert {part["name"]: part["num_examples"] for part in one["splits"]} == {
            split: rows(task, code, split) for split in SPLITS
        }
        size = sum(
            2000 * n + 1 for (own, c, _), n in ROWS.items() if own == task and code in ("", c)
        )
        assert one["download_size"] == size
    configs = {one["config_name"]: one for one in head["configs"]}
    assert [name for name, one in configs.items() if one.get("default")] == ["slt"]
    assert configs["dsa"]["data_files"] == [
        {"split": split, "path": [f"dsa_{code}/{split}-*.parquet" for code in LANGUAGES["dsa"]]}
        for split in SPLITS
    ]
    assert configs["proof_tree"]["data_files"][1]["path"] == "proof_tree_ja/validation-*.parquet"
    assert configs["slt_te"]["data_files"][0]["path"] == "slt_te/test-*.parquet"
    shards = card.configs(made())["slt"]["validation"]
    assert [shard.path.split("/")[0] for shard in shards] == ["slt_en"] * 2 + ["slt_te"] * 2


def test_the_command_and_the_signature_hold_every_task_and_option() -> None:
    manifest = made(levels=3, per_level=2)
    assert manifest["command"] == (
        "xlgo export --out xlgo --tasks slt dsa proof_tree --splits test validation --xlgo-seed 7 "
        "--text paper --levels 3 --per-level 2"
    )
    alike = made()["recipe"]
    for entry in alike["tasks"].values():
        entry["languages"] = ["en", "te"]
    assert "--languages en te --splits" in recipe.command(alike)
    assert made()["signature"] == (
        "tasks:slt,dsa,proof_tree|languages:en,te,hi,ja|splits:test,validation|preset:lite|n:9,5|"
        "text:paper,revised|seed:7|data:1,3|code:abcdef012345|version:0.2"
    )
    again = recipe.request_of(manifest["recipe"], Path("folder"))
    assert again.languages == LANGUAGES
    assert again.splits == SPLITS
    assert again.options == {"seed": 7, "text": "paper", "levels": 3, "per_level": 2}


def test_a_recipe_spells_the_options_that_all_its_tasks_have() -> None:
    """Itineraries have a seed and no preset; puzzles have both."""
    both = recipe.recipe_of(Request(["slt", "travel"], ["en", "te"], ["test", "validation"], {}))
    assert both["options"] == {"seed": 0, "text": "paper"}
    assert {task: one["languages"] for task, one in both["tasks"].items()} == {
        "slt": ["en", "te"], "travel": ["en", "te"],
    }  # fmt: skip
    assert both["tasks"]["travel"]["family"] == "simple_reasoning"
    assert both["splits"] == ["test", "validation"]
    alone = recipe.recipe_of(Request(["slt", "dsa"], ["en"], ["test"], {"levels": 2, "seed": 3}))
    assert alone["options"] == {"levels": 2, "preset": "quick", "seed": 3, "text": "paper"}
    assert [len(one["levels"]) for one in alone["tasks"].values()] == [2, 2]
    assert recipe.recipe_of(recipe.request_of(both, Path("folder"))) == both
