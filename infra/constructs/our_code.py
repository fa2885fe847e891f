"""Our code as the functions get it: with bytecode, which they could not keep and would make at each cold start."""

import shutil
from pathlib import Path

import jsii
from aws_cdk import AssetHashType, BundlingOptions, DockerImage, ILocalBundling
from aws_cdk import aws_lambda as lambda_

from infra.config import ROOT
from layers.build import compile_bytecode, find_interpreter

FUNCTIONS = ROOT / "functions"
IN_LAMBDA = Path("/var/task")


def our_code(python: str) -> lambda_.AssetCode:
    return lambda_.Code.from_asset(
        str(FUNCTIONS),
        # Of what is shipped: the same code with and without bytecode are two assets.
        asset_hash_type=AssetHashType.OUTPUT,
        # The image is asked for by CDK and never used: all is done here.
        bundling=BundlingOptions(image=DockerImage.from_registry("none"), local=CopyWithBytecode(python)),
    )


@jsii.implements(ILocalBundling)
class CopyWithBytecode:
    """Without a Python of the functions' version on this machine it is a plain copy: first calls take longer then."""

    def __init__(self, python: str) -> None:
        self._python = python

    def try_bundle(self, output_dir: str, *_: object, **__: object) -> bool:
        copy = Path(output_dir)
        # The folder `functions` itself is copied, so that its imports work.
        shutil.copytree(FUNCTIONS, copy / FUNCTIONS.name, ignore=shutil.ignore_patterns("__pycache__"))
        if interpreter := find_interpreter(self._python):
            compile_bytecode(interpreter, copy, place=IN_LAMBDA)
        return True
