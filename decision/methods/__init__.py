"""Decision methods for RDD programs, one module a method; `decision/service/portfolio.py` tries them."""
