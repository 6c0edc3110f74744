"""The models of packages/python-runner/test-models, as files for a repository; they run unchanged under Triton."""

import pathlib

DIRECTORY = pathlib.Path(__file__).resolve().parents[1] / "packages/python-runner/test-models"


def python_model(name, config=""):
    files = {
        str(path.relative_to(DIRECTORY / name)): path.read_bytes()
        for path in sorted((DIRECTORY / name).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    if config:
        files["config.pbtxt"] = files.get("config.pbtxt", b"") + f"\n{config}\n".encode()
    return files


def source(config, text):
    return {"config.pbtxt": f'backend: "python"\n{config}', "1/model.py": text}
