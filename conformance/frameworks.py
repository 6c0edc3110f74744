"""What the tests of frameworks share. NEREID_FRAMEWORKS_ENV names a virtual environment with numpy and the frameworks (scripts/frameworks-venv.mjs)."""

import os
import pathlib
import subprocess

import numpy
import pytest

ENVIRONMENT = os.environ.get("NEREID_FRAMEWORKS_ENV", "")
WHY_NOT = os.environ.get("NEREID_FRAMEWORKS_WHY_NOT", "NEREID_FRAMEWORKS_ENV names no environment")
PYTHON = pathlib.Path(ENVIRONMENT) / "bin/python"
MAKER = pathlib.Path(__file__).with_name("make_framework_model.py")
ENV = f'parameters {{ key: "EXECUTION_ENV_PATH" value {{ string_value: "{ENVIRONMENT}" }} }}\n'


def needs(*modules):
    """Skips the test where the environment does not have the modules."""
    if ENVIRONMENT == "":
        return pytest.mark.skipif(True, reason=WHY_NOT)
    script = "import importlib.util, sys; print(*[name for name in sys.argv[1:] if not importlib.util.find_spec(name)])"
    asked = subprocess.run([PYTHON, "-c", script, *modules], capture_output=True, text=True, check=True)
    missing = asked.stdout.strip()
    return pytest.mark.skipif(missing != "", reason=f"{ENVIRONMENT} does not have {missing}")


def make(kind, path):
    """Writes a model with the framework's own Python. What it prints as JSON is given back, as text."""
    return subprocess.run([PYTHON, "-W", "ignore", MAKER, kind, path], check=True, stdout=subprocess.PIPE, text=True).stdout


def files(directory, config):
    """A model's files: all that were made in the directory, as version 1."""
    made = [path for path in directory.rglob("*") if path.is_file()]
    return {"config.pbtxt": config + ENV, **{f"1/{path.relative_to(directory)}": path.read_bytes() for path in made}}


def model(tmp_path, kind, file, config):
    make(kind, tmp_path / file)
    return files(tmp_path, config)


def io(inputs, outputs):
    def entries(names):
        return ", ".join(f'{{ name: "{name}" data_type: TYPE_FP32 dims: [ {dims} ] }}' for name, dims in names.items())

    return f"input [ {entries(inputs)} ]\noutput [ {entries(outputs)} ]\n"


def rows(*numbers):
    return numpy.array([[number] * 4 for number in numbers], numpy.float32)
