"""What handlers are given besides the request."""

from typing import Annotated

from litestar.params import Dependency

from turntable_gateway.presenter import Presenter
from turntable_session.core.port import Sessions

CoreDependency = Annotated[Sessions, Dependency(skip_validation=True)]
PresenterDependency = Annotated[Presenter, Dependency(skip_validation=True)]
