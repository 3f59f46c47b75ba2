"""`python -m tallystick` is the command line."""

from tallystick.start import main

if __name__ == "__main__":
    main()
