"""The Python of the README, run as it stands."""

import os
import re
from pathlib import Path


def test_the_python_example_of_the_readme_prints_three_classes(capsys):
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    exec(example.replace("localhost:8001", os.environ["NEREID_GRPC_ADDRESS"]), {})
    printed = capsys.readouterr().out
    assert len(re.findall(r"b'0\.\d+:\d:\w+'", printed)) == 3
