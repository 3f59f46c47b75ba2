(* Proofs by MEMBERS (MembersRule.v): functions, laws about them, and what follows from instances of laws. *)

open Checker
open Json.Parts
open Numbers
open Terms

let types json = List.map (type_of ~bags:false) (array json)
let at r json = closed r (term r json)
let use r json =
  let law, given = pair json in
  let law = number law in
  (law, List.map (at r) (array given))

let because r json = match record r "Because" json with
  | [ uses; tree ] ->
    let uses = List.map (use r) (array uses) in
    (uses, Trees.tree r tree)
  | _ -> fail "expected a reason"

let defined r json = match record r "Defined" json with
  | [ called; takes; body ] ->
    let function_name = letters (word called) in
    let takes = types takes in
    let row = term r body in
    { function_name; takes; gives = type_at r row; body = closed r row }
  | _ -> fail "expected a function"

let step r json = match tag_of json, record r (tag_of json) json with
  | "Elements", [ over; bag ] ->
    let over = types over in
    Elements (over, at r bag)
  | "Induct", [ over; calls; invariant; base; step ] ->
    let over = types over in
    let calls = List.map (use r) (array calls) in
    let invariant = at r invariant in
    let base = because r base in
    Induct (over, calls, invariant, base, because r step)
  | "SumOver", [ over; how; functions; evidence ] ->
    let over = types over in
    let functions = List.map number (array functions) in
    let evidence = List.map (because r) (array evidence) in
    (match word how, functions, evidence with
     | "OverMap", [ whole; part ], [ e ] -> SumOver (over, OverMap (whole, part, e))
     | "OverFilter", [ whole; part ], [ e ] -> SumOver (over, OverFilter (whole, part, e))
     | "OverUnion", [ whole; left; right ], [] -> SumOver (over, OverUnion (whole, left, right))
     | "OverKeys", [ whole; bucket; part ], [ e; e' ] -> SumOver (over, OverKeys (whole, bucket, part, e, e'))
     | _ -> fail "a sum is over what is mapped, filtered, a union, or in buckets")
  | _ -> fail "expected what makes further laws"

let rec once r json = match record r "Once" json with
  | [ how; evidence; rest ] ->
    let how = word how in
    let evidence = if evidence = Json.Null then None else Some (because r evidence) in
    let rest = if rest = Json.Null then None else Some (once r rest) in
    (match how, evidence, rest with
     | "Keyed", None, None -> Keyed
     | "Injective", Some e, Some rest -> Injective (e, rest)
     | "Selected", None, Some rest -> Selected rest
     | _ -> fail "no element occurs twice for another reason")
  | _ -> fail "expected why no element occurs twice"

let conclusion r json = match record r "Conclusion" json with
  | [ how; evidence; onces ] ->
    let evidence = List.map (because r) (array evidence) in
    let onces = List.map (once r) (array onces) in
    (match word how, evidence, onces with
     | "Values", [ e ], [] -> Values e
     | "Elementwise", [ e ], [] -> Elementwise e
     | "SameElements", [ e; e' ], [ left; right ] -> SameElements (left, right, e, e')
     | _ -> fail "expected what follows from the laws")
  | _ -> fail "expected a conclusion"

let rule r = function
  | [ definitions; steps; concluded ] ->
    let definitions = List.map (defined r) (array definitions) in
    let steps = List.map (step r) (array steps) in
    { definitions; steps; concluded = conclusion r concluded }
  | _ -> fail "expected a proof by MEMBERS"
