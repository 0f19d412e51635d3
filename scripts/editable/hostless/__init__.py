"""What `pip install -e .` puts on the import path: the package `hostless`, read from the clone.

The folder around this one holds nothing but this package, so an editable install takes no other
name.  Modules are made from the source of the clone as it is when they are imported, in the way in
which a wheel is built.  None of this is in a wheel.
"""

import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

_SCRIPTS = Path(__file__).resolve().parents[2]
_FRONT = _SCRIPTS / "hostless"


class _Loader(SourceFileLoader):
    """Reads a module as it stands inside the package; keeps no bytecode, which is the clone's."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        name = Path(path).relative_to(_SCRIPTS.parent).as_posix()
        return self.source_to_code(_package.inside(self.get_data(path).decode("utf-8"), name), path)


class _Finder:
    """Finds the packages of the clone and their modules, and nothing that does not begin so."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        parts = name.split(".")
        if parts[0] != "hostless" or len(parts) < 2:
            return None
        depth = len(parts)
        folder = _SCRIPTS.parent if parts[1] in _package.ROOTS else _FRONT
        place = [str(folder.joinpath(*parts[1 : depth - 1]))]
        spec = PathFinder.find_spec(name, place)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def _load(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_package = _load("hostless._one_package", _SCRIPTS / "one_package.py")
__path__ = [str(_FRONT)]
sys.meta_path.insert(0, _Finder)
SourceFileLoader(__name__, str(_FRONT / "__init__.py")).exec_module(sys.modules[__name__])
