"""Partition safety: does a fold give one value however its elements are spread over partitions?"""
