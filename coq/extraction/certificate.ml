(* Certificates (certificates/FORMAT.md) as the data that the checker takes. Written by hand; not verified: a mistake here
   would be one about which claim was checked, so the auditor prints the claim from what is read here. *)

open Checker
open Json.Parts
open Terms
open Programs

type claim =
  | Equivalent of proof
  | Inequivalent of inputs * (val0 * val0)

type certificate = {
  rows : row array;
  left : Programs.program;
  right : Programs.program;
  semantics : string;
  assumptions : string list;
  ones : one_value list;
  claim : claim;
}

let bytes_limit = 1_000_000

let assumptions_known = [
  "integers do not overflow"; "means are exact quotients, and 0 for no elements"; "decimals are exact";
  "floating-point numbers are exact"; "no expression raises an error" ]

let keys = [ "assumptions"; "format"; "left"; "one_values"; "producer"; "result"; "right"; "semantics"; "sources"; "terms"; "verdict"; "version" ]

(* The value of a key, for each that a certificate has, and whether it may have MEMBERS. *)
let opened content =
  if String.length content > bytes_limit then fail "too many bytes";
  let document = Json.parse content in
  if Json.canonical document <> content then fail "not canonical: layout";
  let members = match document with Json.Object members -> members | _ -> fail "expected an object" in
  if List.mem_assoc "catalogue" members then uncovered "certificates about queries in its extracted auditor";
  if List.sort compare (List.map fst members) <> keys then fail "a key is unknown or missing";
  let get key = List.assoc key members in
  match word (get "format"), get "version" with
  | "tallystick-certificate", Json.Integer "2" -> (get, false)
  | "tallystick-certificate", Json.Integer "4" -> (get, true)
  | _ -> fail "the format or its version is another one"

let rec applies = function Op ((Apply _ | Expand _), _) -> true | Op (_, terms) -> List.exists applies terms | _ -> false
let applies_functions (p : Checker.program) = applies p.expression || List.exists (fun (t, _) -> applies t) p.merges

(* The proofs that folds have one value. *)
let proofs_of_folds r semantics verdict (left : Programs.program) (right : Programs.program) json =
  let goals = one_values semantics [ left.meant; right.meant ] in
  let given = array json in
  if List.length goals <> List.length given then fail "each fold has a proof that it has one value";
  let ones = List.map2 (Folds.one_value r) goals given in
  if List.exists2 (fun (_, merge) one -> one = None && (verdict = "equivalent" || merge <> None)) goals ones then
    fail "that a fold has one value needs a proof";
  List.filter_map Fun.id ones

let counterexample r (left : Programs.program) (right : Programs.program) json =
  if List.exists applies_functions [ left.meant; right.meant ] then uncovered "values of Python's functions";
  if left.returns = "list" then uncovered "lists in an order, which two bags of pairs may share";
  match record r "Counterexample" json with
  | [ inputs; outputs ] ->
    let inputs = array inputs in
    if List.length inputs <> List.length left.rows then fail "each parameter has one value";
    let input i json = match r.table.(i).term with
      | Var (x, t) -> ((x, t), Values.value json t)
      | _ -> fail "expected a variable" in
    let inputs = List.map2 input left.rows inputs in
    (match array outputs with
     | [ a; b ] ->
       Inequivalent (inputs, (Values.value a (type_at r left.expression_row), Values.value b (type_at r right.expression_row)))
     | _ -> fail "expected two outputs")
  | _ -> fail "expected a counterexample"

(* A mean is a fraction there, and a number that a machine rounds in Python. *)
let require_assumptions assumptions (p : Programs.program) =
  if p.returns = "mean" && not (List.mem "means are exact quotients, and 0 for no elements" assumptions) then
    fail "a claim about means assumes that they are exact quotients"

let require_comparable r (left : Programs.program) (right : Programs.program) =
  if left.returns <> right.returns || left.meant.stands_for <> right.meant.stands_for || left.meant.parameters <> right.meant.parameters
     || type_at r left.expression_row <> type_at r right.expression_row then
    fail "the programs take different parameters or return different types"

let read content =
  let get, members = opened content in
  let semantics = word (get "semantics") in
  if not (List.mem semantics [ "sparklite"; "spark" ]) then fail "a semantics is unknown";
  let assumptions = List.map word (array (get "assumptions")) in
  if List.exists (fun each -> not (List.mem each assumptions_known)) assumptions then fail "an assumption is unknown";
  (match array (get "sources") with [ a; b ] -> ignore (word a, word b) | _ -> fail "expected two sources");
  List.iter (fun p -> let a, b = pair p in ignore (word a, word b)) (array (get "producer"));
  let r = table members (array (get "terms")) in
  let left = program r (get "left") in
  let right = program r (get "right") in
  let verdict = word (get "verdict") in
  let ones = proofs_of_folds r semantics verdict left right (get "one_values") in
  let claim = match verdict with
    | "equivalent" -> Equivalent (Proofs.proof r (get "result"))
    | "inequivalent" -> counterexample r left right (get "result")
    | _ -> fail "the verdict is another one" in
  require_all_seen r;
  if members && not r.used_members then fail "only what has MEMBERS is of this version";
  require_comparable r left right;
  require_assumptions assumptions left;
  { rows = r.table; left; right; semantics; assumptions; ones; claim }
