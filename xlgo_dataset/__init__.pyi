from .api import (
    TASKS as TASKS,
    generate as generate,
    instance_from_json as instance_from_json,
    isomorphism_hashes as isomorphism_hashes,
    load_dataset as load_dataset,
    read as read,
    render as render,
    solve as solve,
    training_rows as training_rows,
    wording_status as wording_status,
)
from .core import (
    DATA_VERSION as DATA_VERSION,
    SPLITS as SPLITS,
    HarnessTask as HarnessTask,
    Instance as Instance,
    TaskLabels as TaskLabels,
)
from .family import (
    FAMILIES as FAMILIES,
    Family as Family,
    family as family,
    family_of as family_of,
    isomorphism_hash as isomorphism_hash,
    isomorphism_hash_of as isomorphism_hash_of,
    register as register,
    task_named as task_named,
)
from .text.languages import (
    LANGUAGES as LANGUAGES,
    TEXTS as TEXTS,
    available as available,
    load_language as load_language,
)
