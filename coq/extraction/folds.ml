(* Proofs that a fold has one value, in every order or however its elements are spread over partitions. *)

open Checker
open Json.Parts
open Numbers
open Terms
open Programs

(* The variables that ORDER's premises are about: M for the state and inner1, … for aggregates inside the fold, primed as
   often as it takes to be fresh. The checker calls the latter by numbers. *)
let rec names_in found = function
  | Var (N x, _) -> text_of x :: found
  | Op (_, terms) -> List.fold_left names_in found terms
  | _ -> found

let rec primed name used = if List.mem name used then primed (name ^ "'") used else name
let position x items =
  let rec go i = function [] -> fail "not found" | y :: rest -> if x = y then i else go (i + 1) rest in
  go 0 items

let rec rename places = function
  | Var (N x, t) when List.mem_assoc (text_of x) places -> Var (Any (nat_of (List.assoc (text_of x) places)), t)
  | Op (op, terms) -> Op (op, List.map (rename places) terms)
  | term -> term

let one_value r (fold, merge) json = match json with
  | Json.Null -> None
  | _ ->
    (match record r "Step" json with
     | [ rule; evidence; Json.Array [] ] ->
       r.records <- r.records + 1;
       (match tag_of rule, List.tl (array rule) with
        | ("Order" | "Partition"), [ invariant ] ->
          if (tag_of rule = "Order") <> (merge = None) then fail "ORDER is about folds that nothing merges, PARTITION about others";
          let invariant = closed r (term r invariant) in
          let inside = inner fold in
          let used = Option.fold ~none:[] ~some:(names_in []) merge @ names_in [] fold in
          let places = List.mapi (fun i part ->
              (primed (Printf.sprintf "inner%d" (i + 1)) used, 4 + position part inside)) (distinct inside) in
          let merged = match opened_merge fold merge with None -> [] | Some g -> names_in [] g in
          let left_over = names_in [] (opened_fold fold) @ merged @ List.map fst places in
          let state = primed "M" left_over in
          let known = state :: left_over in
          if List.exists (fun x -> not (List.mem x known)) (names_in [] invariant) then
            fail "an invariant is about the state and the parameters of its fold";
          let evidence_for = List.map (Trees.tree r) (array evidence) in
          Some { of_fold = fold; merged_by = merge; state_name = N (letters state); invariant_of = rename places invariant; evidence_for }
        | tag, _ -> fail ("no rule about folds is called " ^ tag))
     | _ -> fail "expected a step without subproofs")
