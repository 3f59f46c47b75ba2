"""Lines of reads and variants."""

from pyspark import RDD

COMPLEMENT = {"A": "T", "T": "A", "C": "G", "G": "C"}


def gc_content(reads: RDD[str]):
    return reads.map(lambda r: r.count("G") + r.count("C")).sum()


def gc_content_right(reads: RDD[str]):
    return reads.map(lambda r: r.count("C")).sum() + reads.map(lambda r: r.count("G")).sum()


def gc_content_wrong(reads: RDD[str]):
    return reads.map(lambda r: r.count("GC")).sum()
