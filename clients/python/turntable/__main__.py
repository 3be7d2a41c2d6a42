"""python -m turntable: the same as the command `turntable`."""

from turntable.cli import main

if __name__ == "__main__":
    main()
