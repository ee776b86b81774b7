"""What receivers share: the TLS context, the secret in a file, and the sentence for a connection that fails."""

import http.client
import os
import socket
import ssl
import stat
from dataclasses import dataclass
from pathlib import Path

from controller.plain_file import read_plain_file
from controller.publishing.errors import SendingError

_MOST_SECRET_BYTES = 4_096
_OF_OTHERS = 0o077


@dataclass(frozen=True, slots=True, repr=False)
class Password:
    """A text that is not shown."""

    text: str


def make_tls_context(ca: Path | None) -> ssl.SSLContext:
    """Checks certificate and name of the other side. Raises SendingError."""
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except OSError as error:  # ssl.SSLError is one
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror or error
        raise SendingError(
            f"{ca} cannot be used ({reason}); name a certificate in PEM as ca", is_lasting=True
        ) from None


def read_secret(file: Path) -> str:
    """The first line of a file that only its owner may read. Raises SendingError, which does not quote the file."""
    try:
        content = read_plain_file(file, _MOST_SECRET_BYTES)
        if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & _OF_OTHERS:
            raise SendingError(f"others may read the secret in {file}; run chmod 600 on it", is_lasting=True)
        secret = content.decode("utf-8").split("\n", 1)[0].strip()
    except OSError as error:
        reason = error.strerror or error
        raise SendingError(f"the secret {file} cannot be read ({reason}); name its file", is_lasting=True) from None
    except ValueError:
        raise SendingError(f"{file} is no text; write the secret into its first line", is_lasting=True) from None
    if not secret:
        raise SendingError(f"{file} has an empty first line; write the secret into it", is_lasting=True)
    return secret


def explain_connection_error(error: Exception) -> str:
    """What is wrong, after the name of the other side, and what to do."""
    match error:
        case ssl.SSLCertVerificationError():
            remedy = "see the clock of this machine, and name the certificate that signed it as ca"
            return f"has a certificate that is not accepted ({error.verify_message}); {remedy}"
        case ssl.SSLError():
            return f"does not speak TLS as it should ({error.reason or 'no reason given'}); see port and address"
        case TimeoutError():
            return "does not answer in time; see whether it runs and is reached from here"
        case socket.gaierror() | ValueError():  # the latter where no machine can have this name
            return "is a machine that nobody here knows; correct the address, or see to the network"
        case ConnectionRefusedError():
            return "takes no connection; see whether it runs, and at which port"
        case http.client.HTTPException() | ConnectionError():
            return "broke the connection off; see whether it runs"
        case OSError():
            return f"cannot be reached ({error.strerror or error}); see to the network"
        case _:
            return f"cannot be reached ({type(error).__name__}); see to the network"
