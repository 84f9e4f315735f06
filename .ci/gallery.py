"""Hook of mkdocs: the gallery is a page of the site, made from the generators."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from xlgo_cli.language.gallery import page


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, "gallery.md", content=page()))
    return files
