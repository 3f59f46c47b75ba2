(** The checker as OCaml.  Numbers stay Coq's own (binary [Z], unary [nat]), so that nothing but lists, booleans, options, pairs
    and characters is replaced by OCaml's types. *)
From Tallystick Require Import Check.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
Extraction Language OCaml.
Extraction "checker.ml" check differ fuel folds inner opened_fold opened_merge type vcompare Z.add Z.mul Z.opp.
