(* Programs: what they are about, and how Spark merges their folds. *)

open Checker
open Json.Parts
open Numbers
open Terms

type program = { name : string; rows : int list; returns : string; expression_row : int; fold_rows : (int * int option) list; meant : Checker.program }

(* Names of programs and parameters are identifiers; letters beyond ASCII are let through. *)
let identifier text =
  let letter c = c = '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > '\127' in
  if text <> "" && letter text.[0] && String.for_all (fun c -> letter c || (c >= '0' && c <= '9')) text then text
  else fail "names of programs and parameters are identifiers"

(* What a result stands for, which is of a type that fits. A bag of pairs is one list in an order: equal bags are equal lists. *)
let rec outcome returns may_raise of_type =
  if may_raise then match of_type with
    | TTup [ TBool; t ] -> MayRaise (outcome returns false t)
    | _ -> fail "a result that may be missing is a pair"
  else match returns, of_type with
    | ("value" | "list"), _ | ("dict" | "lists" | "sorted lists" | "sets"), TBag (TTup [ _; _ ]) -> Value
    | "mean", TTup [ TInt; TInt ] -> Mean
    | _ -> fail "a program returns something unknown"

(* A fold, and the function that merges its parts: over the results of two of them. *)
let merged_fold r json = match record r "MergedFold" json with
  | [ fold; merge ] ->
    let fold = term r fold in
    let state = match r.table.(fold).term, r.table.(fold).arguments with
      | Op ((Fold | FoldByKey), _), start :: _ -> r.table.(start).of_type
      | _ -> fail "results of partitions are merged for folds" in
    let merge = match merge with
      | Json.Null -> None
      | json ->
        let m = term r json in
        let { of_type; bound } = r.table.(m) in
        if of_type = state && List.for_all (fun b -> b = Elem state || b = Acc state) bound then Some m
        else fail "what merges results of partitions takes two of them, and returns one" in
    (fold, merge)
  | _ -> fail "expected a fold"

let program r json = match record r "Program" json with
  | [ name; parameters; expression; returns; may_raise; folds ] ->
    let name = identifier (word name) in
    let parameters = List.map (term r) (array parameters) in
    let expression = term r expression in
    let returns = word returns in
    let may_raise = match may_raise with Json.Bool b -> b | _ -> fail "expected a boolean" in
    let stands_for = outcome returns may_raise r.table.(expression).of_type in
    let folds = List.map (merged_fold r) (array folds) in
    List.iter (fun i -> match r.table.(i).term with Var (N x, _) -> ignore (identifier (text_of x)) | _ -> ()) parameters;
    ignore (closed r expression);
    let names = List.map (variable r) parameters in
    if List.length (List.sort_uniq compare names) < List.length names then fail "parameters have distinct names";
    let given = List.map (fun i -> r.table.(i).term) parameters in
    let done_ = Array.make (Array.length r.table) false in
    let rec check i =
      if not done_.(i) then begin
        done_.(i) <- true;
        (match r.table.(i).term with
         | Var _ as v when not (List.mem v given) -> fail "a free variable is no parameter"
         | _ -> ());
        List.iter check r.table.(i).arguments
      end in
    check expression;
    List.iter (fun (fold, merge) -> check fold; Option.iter check merge) folds;
    let merges = List.map (fun (fold, merge) -> (closed r fold, Option.map (fun m -> r.table.(m).term) merge)) folds in
    let named i = match r.table.(i).term with Var (N x, t) -> (x, t) | _ -> fail "expected a variable" in
    let meant = { parameters = List.map named parameters; expression = closed r expression; merges; stands_for } in
    { name; rows = parameters; returns; expression_row = expression; fold_rows = folds; meant }
  | _ -> fail "expected a program"

let rec distinct = function [] -> [] | x :: rest -> x :: distinct (List.filter (( <> ) x) rest)

(* The folds that need such proofs: those that a function merges, and the others of both programs. *)
let one_values semantics (programs : Checker.program list) =
  let goals (p : Checker.program) =
    let listed = List.map fst p.merges in
    let used = distinct (folds p.expression @ List.concat_map folds listed) in
    if semantics = "spark" && List.exists (fun t -> not (List.mem t listed)) used then
      fail "a program does not say how Spark merges one of its folds";
    let merged = List.filter (fun (_, merge) -> merge <> None) (distinct p.merges) in
    let others = List.filter (fun t -> not (List.mem_assoc t merged)) used in
    List.map (fun t -> (t, None)) others @ merged in
  distinct (List.concat_map goals programs)
