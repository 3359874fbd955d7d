"""The worked example of docs/a-fourth-game.md, taken out of the page."""

import re
from pathlib import Path
from types import ModuleType

PAGE = Path(__file__).parents[2] / "docs/a-fourth-game.md"
MODULE, USE = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)

highest = ModuleType("highest")
exec(compile(MODULE, str(PAGE), "exec"), vars(highest))
