(* Proof trees: rules with their hints, and what proves their requirements. *)

open Checker
open Json.Parts
open Numbers
open Terms

let bucket r json fold = match record r "Bucket" json, type_at r fold with
  | [ key; exists; accumulated ], TBag (TTup [ k; t ]) ->
    let key = fresh r key k in
    let exists = fresh r exists TBool in
    let accumulated = fresh r accumulated t in
    ((key, exists), accumulated)
  | _ -> fail "expected a bucket of a by-key fold"

let rec proof r json = match record r "Step" json with
  | [ rule; evidence; below ] ->
    r.records <- r.records + 1;
    let tag = tag_of rule in
    let hints = List.tl (array rule) in
    let make = hint r tag hints in
    let evidence = List.map (Trees.tree r) (array evidence) in
    let below = List.map (proof r) (array below) in
    make evidence below
  | _ -> fail "expected a step"

and hint r tag hints = match tag, hints with
  | "NoAgg", [ Json.Null ] -> fun evidence -> leaf (NoAgg (Counting, evidence))
  | "NoAgg", [ matching ] ->
    let matching = List.map (fun p -> let i, places = pair p in (number i, List.map number (array places))) (array matching) in
    fun evidence -> leaf (NoAgg (Matching matching, evidence))
  | "Distinct", [] -> fun evidence -> leaf (SetRule evidence)
  | "Fold", [ folds; accumulators; invariant ] ->
    let folds = List.map (term r) (array folds) in
    let accumulators = array accumulators in
    if List.length folds <> List.length accumulators then fail "each fold has one accumulator";
    let names = List.map2 (fun fold state -> fresh r state (type_at r fold)) folds accumulators in
    let pairs = List.map2 (fun fold name -> (closed r fold, name)) folds names in
    let invariant = closed r (term r invariant) in
    fun evidence -> (function [ rest ] -> FoldRule (pairs, invariant, evidence, rest) | _ -> fail "FOLD has one subproof")
  | "ByKey", [ folds; buckets; invariant ] ->
    (match List.map (term r) (array folds), array buckets with
     | [ f; g ], [ b; c ] ->
       let b = bucket r b f in
       let c = bucket r c g in
       let invariant = closed r (term r invariant) in
       fun evidence -> leaf (ByKey (closed r f, closed r g, (b, c), invariant, evidence))
     | _ -> fail "BYKEY is about two by-key folds")
  | "Congruence", [ parts; name ] ->
    (match List.map (term r) (array parts) with
     | [ a; b ] ->
       let name = fresh r name (type_at r a) in
       none (function [ p; q ] -> Congruence (closed r a, closed r b, name, p, q) | _ -> fail "CONG has two subproofs")
     | _ -> fail "CONG is about two parts")
  | "Transitive", [ middle ] ->
    let middle = closed r (term r middle) in
    none (function [ p; q ] -> Transitive (middle, p, q) | _ -> fail "TRANS has two subproofs")
  | "Symmetric", [] -> none (function [ p ] -> Symmetric p | _ -> fail "SYM has one subproof")
  | "Reflexive", [] -> none (function [] -> Reflexive | _ -> fail "REFLEXIVE has no subproof")
  | "Members", hints when r.members ->
    r.used_members <- true;
    let facts = Members.rule r hints in
    none (function [] -> Members facts | _ -> fail "MEMBERS has no subproof")
  | "Normal", _ -> uncovered "rule Normal in its extracted auditor"
  | _ -> fail ("no rule is called " ^ tag)

and leaf made below = if below = [] then made else fail "this rule has no subproof"
and none make evidence = if evidence = [] then make else fail "this rule has no premises"
