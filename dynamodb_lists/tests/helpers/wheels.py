"""The wheel of the package, in environments that have only its requirements."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]


def built(folder: Path) -> Path:
    """Return a wheel of the present source, committed or not. The build writes nothing into the source."""
    folder.mkdir(exist_ok=True)
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["build-backend"]
    code = f"import sys, {backend} as backend; backend.build_wheel(sys.argv[1])"
    run([sys.executable, "-c", code, str(folder)], ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Return what a command prints. It sees none of this project."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTHON", "PYTEST"))}
    done = subprocess.run(command, cwd=folder, env=kept | environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def installed(wheel: Path, folder: Path, extra: str = "") -> str:
    """Return the Python of a new environment that has only the wheel and its requirements."""
    venv.create(folder / "env", with_pip=False)
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages_of(folder / "env"))
        (name,) = (name for name in content.namelist() if name.endswith("METADATA"))
        required = content.read(name).decode()
    wanted = [
        line.removeprefix("Requires-Dist: ") for line in required.splitlines() if line.startswith("Requires-Dist: ")
    ]
    link(folder / "env", wanted, extra)
    return str(folder / "env" / "bin" / "python")


def packages_of(env: Path) -> Path:
    """Return the folder of an environment's packages."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(env), "platbase": str(env)}))


def link(env: Path, wanted: list[str], extra: str = "") -> None:
    """Give an environment the packages of this one that these requirements name, with their commands."""
    packages, python = packages_of(env), env / "bin" / "python"
    for distribution in closure(wanted, extra):
        for file in distribution.files or ():
            there = packages / file.parts[0]
            if file.parts[0] != ".." and not there.exists():
                there.symlink_to(Path(str(distribution.locate_file(file.parts[0]))))
        for command in distribution.entry_points.select(group="console_scripts"):
            code = f"import sys\nfrom {command.module} import {command.attr}\nsys.exit({command.attr}())\n"
            (env / "bin" / command.name).write_text(f"#!{python}\n{code}")
            (env / "bin" / command.name).chmod(0o755)


def closure(wanted: list[str], extra: str) -> list[metadata.Distribution]:
    """Return the distributions that these requirements name, and those that they require."""
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
