(* Refutation trees. *)

open Checker
open Json.Parts
open Numbers
open Terms

let multipliers json = List.map (fun p -> let a, b = pair p in (number a, z_of (integer b))) (array json)

let rec tree r json = match tag_of json, List.tl (array json) with
  | "Farkas", [ m ] -> counted r; Farkas (multipliers m)
  | "Cut", [ m; rest ] -> counted r; let m = multipliers m in Cut (m, tree r rest)
  | "Split", [ c; bound; below; above ] ->
    counted r;
    let c = multipliers c in let below = tree r below in
    Split (c, z_of (integer bound), below, tree r above)
  | "Apply", [ first; second; rest ] ->
    counted r; let first = number first in let second = number second in Congruent (first, second, tree r rest)
  | "Case", [ fact; branches ] -> counted r; let fact = number fact in Case (fact, List.map (tree r) (array branches))
  | "Oracle", _ -> fail "an oracle's word is no proof"
  | _ -> fail "expected evidence"
