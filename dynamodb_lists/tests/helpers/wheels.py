"""The wheel of the package, in environments that have nothing but what it asks for."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]


def built(folder: Path) -> Path:
    """The wheel, built in a folder of what is committed or not."""
    shutil.copytree(
        ROOT / "dynamodb_lists", folder / "source" / "dynamodb_lists", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", folder / "source")
    code = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    run([sys.executable, "-c", code, str(folder)], folder / "source")
    (wheel,) = folder.glob("*.whl")
    return wheel


def run(command: list[str], folder: Path, **environment: str) -> str:
    """What a command prints. It sees none of this project."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTHON", "PYTEST"))}
    done = subprocess.run(command, cwd=folder, env=kept | environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def installed(wheel: Path, folder: Path, extra: str = "") -> str:
    """The Python of a new environment with the wheel and what its metadata requires, and nothing else."""
    venv.create(folder / "env", with_pip=False)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "env"), "platbase": str(folder / "env")}))
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)
        (name,) = (name for name in content.namelist() if name.endswith("METADATA"))
        required = content.read(name).decode()
    wanted = [
        line.removeprefix("Requires-Dist: ") for line in required.splitlines() if line.startswith("Requires-Dist: ")
    ]
    for distribution in closure(wanted, extra):
        for file in distribution.files or ():
            there = packages / file.parts[0]
            if file.parts[0] != ".." and not there.exists():
                there.symlink_to(Path(str(distribution.locate_file(file.parts[0]))))
    return str(folder / "env" / "bin" / "python")


def closure(wanted: list[str], extra: str) -> list[metadata.Distribution]:
    """The distributions that these requirements name, and those that they require."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [(each, extra) for each in map(Requirement, wanted)]
    while waiting:
        requirement, of_extra = waiting.pop()
        if requirement.name in found or (requirement.marker and not requirement.marker.evaluate({"extra": of_extra})):
            continue
        found[requirement.name] = distribution = metadata.distribution(requirement.name)
        assert distribution.version in requirement.specifier, requirement
        waiting += [(each, "") for each in map(Requirement, distribution.requires or ())]
    return list(found.values())
