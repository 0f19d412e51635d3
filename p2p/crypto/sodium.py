"""The one place where Python touches libsodium: ristretto255 (RFC 9496), and whose a signature is.

`rbcl` bundles libsodium, but its Python wrapper has traps: adding an invalid point gives the
identity without an error, return codes of some functions are dropped, every start leaves a 2.8 MB
copy of the library in the temporary folder, and it imports a debugger. So only the bundle is
taken from it: the C functions are bound here, once, every return code is checked, and the copy is
removed. The functions release Python's lock, so that proofs in several threads use several cores
and a screen beside them stays alive.

All functions take and give 32-byte encodings. Points must be valid and scalars must be below the
order of the group before they come here: `group.py` sees to both.

What this does not protect against: libsodium itself runs in constant time, but the Python
integers that become its scalars do not, so a neighbour on the same machine who can time this
process closely might learn something about a secret.
"""

import atexit
import ctypes
import importlib.util
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Final

from core.errors import HostlessError
from p2p.crypto.sure import make_sure

SPARE_FOLDERS: Final = (Path("/dev/shm"), Path("/var/tmp"))  # If rbcl cannot be written to.
POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
UNIFORM_BYTES: Final = 64
_SIGNATURE_BYTES: Final = 64
ZERO: Final = bytes(32)
"""Encodes the identity as a point and zero as a scalar."""

_Buffer = ctypes.c_char * POINT_BYTES


def _bundle(package: Path, folder: Path | None) -> Any:
    """Give rbcl's module that unpacks the library, without the wrapper around it.

    It does so in the folder for temporary files, or in this one. Raises OSError if the library
    cannot be loaded from there.
    """
    spec = importlib.util.spec_from_file_location("rbcl_bundle", package / "_sodium.py")
    assert spec is not None, "A path to a Python file is enough to load it."
    assert spec.loader is not None, "A path to a Python file is enough to load it."
    module = importlib.util.module_from_spec(spec)
    usual = tempfile.tempdir
    tempfile.tempdir = usual if folder is None else str(folder)
    try:
        with warnings.catch_warnings():
            # The module drops an open temporary file, of which newer versions of Python complain.
            warnings.simplefilter("ignore", ResourceWarning)
            spec.loader.exec_module(module)
    except OSError:
        if hasattr(module, "lib_path"):
            Path(module.lib_path).unlink(missing_ok=True)
        raise
    finally:
        tempfile.tempdir = usual
    return module


def _unpack() -> Any:
    """Give the bundle, unpacked where programs may be run: not everybody's /tmp is such a place.

    Where rbcl itself lies is one, since other libraries are loaded from beside it.
    """
    found = importlib.util.find_spec("rbcl")
    assert found is not None, "hostless needs the package rbcl."
    assert found.submodule_search_locations is not None, "rbcl is a package with a folder."
    package = Path(found.submodule_search_locations[0])
    failures: list[str] = []
    for folder in (None, package, *SPARE_FOLDERS):
        try:
            return _bundle(package, folder)
        except OSError as error:
            failures.append(str(error))
    raise HostlessError(
        f"the library for cards cannot be loaded: {failures[0]}",
        "set TMPDIR to a folder from which programs may be run",
    )


def _load() -> Any:
    """Give the bundled library, leaving no copy of it on disk."""
    bundle = _unpack()
    library = bundle._sodium
    make_sure(library.sodium_init() >= 0, "libsodium starts.")
    if sys.platform == "win32":
        atexit.register(_unload_windows, library, bundle.lib_path)
    else:
        # A mapped file lives on without its name.
        Path(bundle.lib_path).unlink(missing_ok=True)
    return library


def _unload_windows(library: Any, path: str) -> None:
    """Release and delete the copy at exit: Windows keeps the file of a loaded library locked."""
    free_library: Any = ctypes.__dict__["windll"].kernel32.FreeLibrary
    free_library.argtypes = [ctypes.c_void_p]
    free_library(library._handle)
    Path(path).unlink(missing_ok=True)


_library: Final = _load()


def _bind(name: str, argument_count: int) -> Any:
    """Give a C function of so many byte buffers, as our own object with its own signature."""
    buffers = [ctypes.c_char_p] * argument_count
    return ctypes.CFUNCTYPE(ctypes.c_int, *buffers)((name, _library))


_add: Final = _bind("crypto_core_ristretto255_add", 3)
_subtract: Final = _bind("crypto_core_ristretto255_sub", 3)
_is_valid: Final = _bind("crypto_core_ristretto255_is_valid_point", 1)
_from_hash: Final = _bind("crypto_core_ristretto255_from_hash", 2)
_multiply: Final = _bind("crypto_scalarmult_ristretto255", 3)
_multiply_base: Final = _bind("crypto_scalarmult_ristretto255_base", 2)
_verify: Final = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p
)(("crypto_sign_ed25519_verify_detached", _library))


def is_valid(point: bytes) -> bool:
    """Whether 32 bytes are a canonical encoding; the identity is one (RFC 9496, 4.3.1)."""
    return len(point) == POINT_BYTES and _is_valid(point) == 1


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 key made a signature (RFC 8032, 5.1.7), in half of OpenSSL's time.

    No key of small order did: everybody could sign for it.
    """
    if len(public) != POINT_BYTES or len(signature) != _SIGNATURE_BYTES:
        return False
    return bool(_verify(signature, message, len(message), public) == 0)


def add(left: bytes, right: bytes) -> bytes:
    """Give the sum of two points."""
    total = _Buffer()
    make_sure(_add(total, left, right) == 0, "Only valid points are added.")
    return total.raw


def subtract(left: bytes, right: bytes) -> bytes:
    """Give the difference of two points."""
    difference = _Buffer()
    make_sure(_subtract(difference, left, right) == 0, "Only valid points are subtracted.")
    return difference.raw


def multiply(scalar: bytes, point: bytes) -> bytes:
    """Give scalar times point."""
    product = _Buffer()
    if _multiply(product, scalar, point) != 0:
        # The group has prime order, so nothing else may give the identity; libsodium reports it
        # with the same code as an invalid point.
        make_sure(ZERO in (scalar, point), "Only valid points are multiplied.")
    return product.raw


def multiply_base(scalar: bytes) -> bytes:
    """Give scalar times the generator, about three times faster than `multiply`."""
    product = _Buffer()
    if _multiply_base(product, scalar) != 0:
        make_sure(scalar == ZERO, "Scalars are below the order of the group.")
    return product.raw


def from_hash(uniform: bytes) -> bytes:
    """Map 64 uniform bytes to a point whose logarithm nobody knows (RFC 9496, 4.3.4)."""
    make_sure(len(uniform) == UNIFORM_BYTES, "A point is made from 64 uniform bytes.")
    point = _Buffer()
    make_sure(_from_hash(point, uniform) == 0, "Every 64 bytes make a point.")
    return point.raw
