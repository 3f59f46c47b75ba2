(* Certificates (certificates/FORMAT.md) as the data that the checker takes. Written by hand; not verified: a mistake here
   would be one about which claim was checked, so the auditor prints the claim from what is read here. *)

open Checker

type row = { term : term; of_type : ty; bound : term list; arguments : int list }

type program = { name : string; rows : int list; returns : string; expression_row : int; meant : Checker.program }

type claim =
  | Equivalent of proof
  | Inequivalent of inputs * (val0 * val0)

type certificate = { rows : row array; left : program; right : program; ones : one_value list; claim : claim }

let fail = Json.fail

(* What the development does not cover; the auditor says so, and neither accepts nor rejects. *)
exception Uncovered of string
let uncovered what = raise (Uncovered ("the Coq development has no " ^ what))
let rows_limit = 20_000
let leaves_limit = 200
let records_limit = 50_000
let elements_limit = 100_000

(* Numbers. *)

let rec nat_of i = if i <= 0 then O else S (nat_of (i - 1))
let rec positive_of i = if i = 1 then XH else if i land 1 = 1 then XI (positive_of (i lsr 1)) else XO (positive_of (i lsr 1))
let z_of_int i = if i = 0 then Z0 else Zpos (positive_of i)

let z_of text =
  let negative = text.[0] = '-' in
  let digits = if negative then String.sub text 1 (String.length text - 1) else text in
  let ten = z_of_int 10 in
  let number = ref Z0 in
  String.iter (fun c -> number := Z.add (Z.mul !number ten) (z_of_int (Char.code c - 48))) digits;
  if negative then Z.opp !number else !number

let small text = match int_of_string_opt text with
  | Some i when i >= 0 && i < 1_000_000 -> i
  | _ -> fail "a number is out of range"

let letters text = List.init (String.length text) (String.get text)
let text_of letters = String.of_seq (List.to_seq letters)

(* Types. *)

let rec leaves = function TTup parts -> List.fold_left (fun n t -> n + leaves t) 0 parts | TBag t | TOpt t -> leaves t | _ -> 1
let basic = function TBag _ -> false | _ -> true

let rec type_of ?(bags = true) json = match json with
  | Json.Array [ Json.Text _ as tag ] when word tag = "IntType" -> TInt
  | Json.Array [ Json.Text _ as tag ] when word tag = "BoolType" -> TBool
  | Json.Array [ Json.Text _ as tag ] when word tag = "TextType" -> TText
  | Json.Array [ Json.Text _ as tag ] when word tag = "RationalType" -> uncovered "type Rational"
  | Json.Array [ (Json.Text _ as tag); inner ] when word tag = "OptionType" ->
    (match type_of ~bags:false inner with TOpt _ -> fail "an option is of no option" | t -> TOpt t)
  | Json.Array [ (Json.Text _ as tag); Json.Array parts ] when word tag = "TupleType" && parts <> [] ->
    TTup (List.map (type_of ~bags:false) parts)
  | Json.Array [ (Json.Text _ as tag); element ] when word tag = "BagType" && bags -> TBag (type_of ~bags:false element)
  | _ -> fail "expected a type"

and word = function Json.Text points -> Json.utf8 points | _ -> fail "expected a text"

let array = function Json.Array items -> items | _ -> fail "expected an array"

(* Terms: one row each, typed as it is built. *)

let operator called parameter types = match called, parameter, types with
  | "add", Json.Null, TInt :: TInt :: rest when List.for_all (( = ) TInt) rest -> Add, TInt
  | "equal", Json.Null, [ t; u ] when t = u && basic t -> Equal, TBool
  | "less", Json.Null, ([ TInt; TInt ] | [ TText; TText ]) -> Less, TBool
  | "less_equal", Json.Null, ([ TInt; TInt ] | [ TText; TText ]) -> LessEq, TBool
  | "not", Json.Null, [ TBool ] -> Not, TBool
  | "and", Json.Null, TBool :: TBool :: rest when List.for_all (( = ) TBool) rest -> And, TBool
  | "or", Json.Null, TBool :: TBool :: rest when List.for_all (( = ) TBool) rest -> Or, TBool
  | "tuple", Json.Null, (_ :: _ as types) when List.for_all basic types -> Tuple, TTup types
  | "ite", Json.Null, [ TBool; t; u ] when t = u && basic t -> Ite, t
  | "none", t, [] -> (match type_of ~bags:false t with TOpt _ -> fail "an option is of no option" | t -> NoneOf t, TOpt t)
  | "some", Json.Null, [ t ] when basic t && (match t with TOpt _ -> false | _ -> true) -> SomeOf, TOpt t
  | "is_none", Json.Null, [ TOpt _ ] -> IsNone, TBool
  | "value", Json.Null, [ TOpt t ] -> ValueOf t, t
  | "apply", Json.Array [ (Json.Text _ as f); t ], types when List.for_all basic types ->
    let t = type_of ~bags:false t in Apply (letters (word f), types, t), t
  | "expand", Json.Array [ (Json.Text _ as f); t ], [ TTup types; TBag u ] ->
    let t = type_of ~bags:false t in Expand (letters (word f), types, t), TBag (TTup [ u; t ])
  | "without", Json.Null, [ k; TBag t; TBag k' ] when k = k' && basic k -> Without, TBag t
  | ("multiply" | "to_rational"), _, _ -> uncovered called
  | ("aggregate" | "every" | "except_all" | "exists" | "extremum" | "intersect_all" | "limit" | "monomial" | "opaque_bag" | "row"
    | "slot" | "sum" | "summation"), _, _ -> uncovered "normal forms in its extracted auditor"
  | "tuple", Json.Array _, _ -> uncovered "tuple with a type of its own"
  | "map", Json.Null, [ t; TBag _ ] when basic t -> Map, TBag t
  | "filter", Json.Null, [ TBool; TBag t ] -> Filter, TBag t
  | "cartesian", Json.Null, [ TBag t; TBag u ] -> Cartesian, TBag (TTup [ t; u ])
  | "union", Json.Null, [ TBag t; TBag u ] when t = u -> Union, TBag t
  | "distinct", Json.Null, [ TBag t ] -> Distinct, TBag t
  | "fold", Json.Null, [ i; f; TBag _ ] when i = f && basic i -> Fold, i
  | "fold_by_key", Json.Null, [ i; f; TBag (TTup [ k; _ ]) ] when i = f && basic i -> FoldByKey, TBag (TTup [ k; i ])
  | "scale", Json.Integer n, [ TInt ] -> Scale (z_of n), TInt
  | "div", Json.Integer n, [ TInt ] when z_of n > Z0 && n.[0] <> '-' -> Div (z_of n), TInt
  | "mod", Json.Integer n, [ TInt ] when z_of n > Z0 && n.[0] <> '-' -> Mod (z_of n), TInt
  | "projection", Json.Integer n, [ TTup parts ] when small n < List.length parts -> Proj (nat_of (small n)), List.nth parts (small n)
  | _ -> fail ("no typing rule for " ^ called)

(* The bound variables that a function over these arguments may mention; the rest of the arguments has none. *)
let scope op types = match op, types with
  | (Map | Filter | Expand _), [ _; TBag t ] -> Some [ Elem t ]
  | Without, [ _; TBag t; _ ] -> Some [ Elem t ]
  | Fold, [ i; _; TBag t ] -> Some [ Acc i; Elem t ]
  | FoldByKey, [ i; _; TBag (TTup [ _; t ]) ] -> Some [ Acc i; Elem t ]
  | (Cartesian | Union | Distinct), _ -> Some []
  | _ -> None

let row rows count json =
  match array json with
  | (Json.Text _ as tag) :: parameter :: numbers ->
    let arguments = List.map (function
        | Json.Integer n when (match int_of_string_opt n with Some i -> i >= 0 && i < count | None -> false) -> int_of_string n
        | _ -> fail "there is no such term before it") numbers in
    let parts = List.map (fun i -> rows.(i)) arguments in
    let terms = List.map (fun p -> p.term) parts and types = List.map (fun p -> p.of_type) parts in
    let leaf term of_type bound = if arguments = [] then { term; of_type; bound; arguments } else fail "no typing rule" in
    (match word tag, parameter with
     | "constant", Json.Integer n -> leaf (Int (z_of n)) TInt []
     | "constant", Json.Bool b -> leaf (Bool b) TBool []
     | "constant", (Json.Text _ as text) -> leaf (Text (letters (word text))) TText []
     | "constant", Json.Array _ -> uncovered "rational constant"
     | "variable", Json.Array [ name; t ] -> let t = type_of t in leaf (Var (N (letters (word name)), t)) t []
     | "element", t -> let t = type_of ~bags:false t in leaf (Elem t) t [ Elem t ]
     | "accumulator", t -> let t = type_of ~bags:false t in leaf (Acc t) t [ Acc t ]
     | name, _ ->
       let op, of_type = operator name parameter types in
       let bound = match scope op types with
         | None -> List.sort_uniq compare (List.concat_map (fun p -> p.bound) parts)
         | Some allowed ->
           let body = if op = Without then 0 else List.length parts - 2 in
           List.iteri (fun i p ->
               let function_ = allowed <> [] && i = body in
               if not (if function_ then List.for_all (fun b -> List.mem b allowed) p.bound else p.bound = []) then
                 fail "a bound variable occurs outside of its function") parts;
           [] in
       { term = Op (op, terms); of_type; bound; arguments })
  | _ -> fail "expected an operator, its parameter and its arguments"

(* Reading what refers to terms. The order of first visits has to be that of the rows: no row is unused or repeated. *)

type reader = { table : row array; mutable seen : int; mutable records : int }

let rec visit r i =
  if i >= r.seen then begin
    List.iter (visit r) r.table.(i).arguments;
    if i = r.seen then r.seen <- i + 1
    else if i > r.seen then fail "not canonical: a term is out of order"
  end

let term r = function
  | Json.Integer n when (match int_of_string_opt n with Some i -> i >= 0 && i < Array.length r.table | None -> false) ->
    let i = int_of_string n in visit r i; i
  | _ -> fail "expected a term"

let record r tag json =
  r.records <- r.records + 1;
  if r.records > records_limit then fail "too many records";
  match array json with
  | found :: parts when word found = tag -> parts
  | _ -> fail ("expected " ^ tag)

let tag_of json = match array json with Json.Text points :: _ -> Json.utf8 points | _ -> fail "expected a record"
let variable r i = match r.table.(i).term with Var (x, _) -> x | _ -> fail "expected a variable"
let closed r i = if r.table.(i).bound = [] then r.table.(i).term else fail "a bound variable occurs outside of its function"
let fresh r json of_type =
  let i = term r json in
  let name = variable r i in
  if r.table.(i).of_type = of_type then name else fail "a fresh variable has the wrong type"

(* Names of programs and parameters are identifiers; letters beyond ASCII are let through. *)
let identifier text =
  let letter c = c = '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > '\127' in
  if text <> "" && letter text.[0] && String.for_all (fun c -> letter c || (c >= '0' && c <= '9')) text then text
  else fail "names of programs and parameters are identifiers"


(* What a result stands for, which is of a type that fits. *)
let rec outcome returns may_raise of_type =
  if may_raise then match of_type with
    | TTup [ TBool; t ] -> MayRaise (outcome returns false t)
    | _ -> fail "a result that may be missing is a pair"
  else match returns, of_type with
    | "value", _ | ("dict" | "lists" | "sorted lists" | "sets"), TBag (TTup [ _; _ ]) -> Value
    | "list", _ -> uncovered "lists in an order"
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
    { name; rows = parameters; returns; expression_row = expression; meant }
  | _ -> fail "expected a program"

let pair_of = function Json.Array [ a; b ] -> (a, b) | _ -> fail "expected a pair"
let integer = function Json.Integer n -> n | _ -> fail "expected an integer"
(* What is too large names no fact, unknown, monomial or slot. *)
let number json = match int_of_string_opt (integer json) with
  | Some i when i >= 0 && i < 1_000_000 -> nat_of i
  | _ -> fail "a number names nothing"
let multipliers json = List.map (fun p -> let a, b = pair_of p in (number a, z_of (integer b))) (array json)

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

and counted r = r.records <- r.records + 1; if r.records > records_limit then fail "too many records"

let type_at r i = r.table.(i).of_type

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
    let evidence = List.map (tree r) (array evidence) in
    let below = List.map (proof r) (array below) in
    make evidence below
  | _ -> fail "expected a step"

and hint r tag hints = match tag, hints with
  | "NoAgg", [ Json.Null ] -> fun evidence -> leaf (NoAgg (Counting, evidence))
  | "NoAgg", [ matching ] ->
    let matching = List.map (fun p -> let i, places = pair_of p in (number i, List.map number (array places))) (array matching) in
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
  | "Normal", _ -> uncovered "rule Normal in its extracted auditor"
  | _ -> fail ("no rule is called " ^ tag)

and leaf made below = if below = [] then made else fail "this rule has no subproof"
and none make evidence = if evidence = [] then make else fail "this rule has no premises"

(* Values, typed by the programs. A bag lists each element once, in ascending order, with its multiplicity. *)
let rec value json of_type = match json, of_type with
  | Json.Integer n, TInt -> VInt (z_of n)
  | (Json.Text _ as text), TText -> VText (letters (word text))
  | Json.Null, TOpt _ -> VNone
  | json, TOpt t -> VSome (value json t)
  | Json.Bool b, TBool -> VBool b
  | Json.Array items, TTup types when List.length items = List.length types -> VTup (List.map2 value items types)
  | Json.Array items, TBag t ->
    let pairs = List.map (fun p -> let x, n = pair_of p in (value x t, integer n)) items in
    let rec ascending = function
      | (v, _) :: ((w, _) :: _ as rest) -> vcompare v w = Lt && ascending rest
      | _ -> true in
    if not (ascending pairs) then fail "the elements of a bag ascend";
    let total = ref 0 in
    VBag (List.concat_map (fun (v, n) ->
        match int_of_string_opt n with
        | Some n when n >= 1 && n <= elements_limit - !total -> total := !total + n; List.init n (fun _ -> v)
        | _ -> fail "a multiplicity is out of range") pairs)
  | _ -> fail "a value is not of its type"

(* The variables that ORDER's premises are about: M for the state and inner1, … for aggregates inside the fold, primed as
   often as it takes to be fresh. The checker calls the latter by numbers. *)
let rec names_in found = function
  | Var (N x, _) -> text_of x :: found
  | Op (_, terms) -> List.fold_left names_in found terms
  | _ -> found

let rec distinct = function [] -> [] | x :: rest -> x :: distinct (List.filter (( <> ) x) rest)
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
          let evidence_for = List.map (tree r) (array evidence) in
          Some { of_fold = fold; merged_by = merge; state_name = N (letters state); invariant_of = rename places invariant; evidence_for }
        | tag, _ -> fail ("no rule about folds is called " ^ tag))
     | _ -> fail "expected a step without subproofs")

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

let assumptions_known = [
  "integers do not overflow"; "means are exact quotients, and 0 for no elements"; "decimals are exact";
  "floating-point numbers are exact"; "no expression raises an error" ]

let rec applies = function Op ((Apply _ | Expand _), _) -> true | Op (_, terms) -> List.exists applies terms | _ -> false
let applies_functions (p : Checker.program) = applies p.expression || List.exists (fun (t, _) -> applies t) p.merges

let keys = [ "assumptions"; "format"; "left"; "one_values"; "producer"; "result"; "right"; "semantics"; "sources"; "terms"; "verdict"; "version" ]

let read content =
  if String.length content > 1_000_000 then fail "too many bytes";
  let document = Json.parse content in
  if Json.canonical document <> content then fail "not canonical: layout";
  let members = match document with Json.Object members -> members | _ -> fail "expected an object" in
  if List.mem_assoc "catalogue" members then uncovered "certificates about queries in its extracted auditor";
  if List.sort compare (List.map fst members) <> keys then fail "a key is unknown or missing";
  let get key = List.assoc key members in
  if word (get "format") <> "tallystick-certificate" || get "version" <> Json.Integer "2" then
    fail "the format or its version is another one";
  let semantics = word (get "semantics") in
  if not (List.mem semantics [ "sparklite"; "spark" ]) then fail "a semantics is unknown";
  List.iter (fun t -> if not (List.mem (word t) assumptions_known) then fail "an assumption is unknown") (array (get "assumptions"));
  (match array (get "sources") with [ a; b ] -> ignore (word a, word b) | _ -> fail "expected two sources");
  List.iter (fun p -> let a, b = pair_of p in ignore (word a, word b)) (array (get "producer"));
  let rows = Array.of_list (array (get "terms")) in
  let count = Array.length rows in
  if count > rows_limit then fail "too many terms";
  let table = Array.make count { term = Bool true; of_type = TBool; bound = []; arguments = [] } in
  let known = Hashtbl.create count in
  Array.iteri (fun i json ->
      if Hashtbl.mem known json then fail "not canonical: a term is repeated";
      Hashtbl.add known json ();
      table.(i) <- row table i json;
      if leaves table.(i).of_type > leaves_limit then fail "a type is too large") rows;
  let r = { table; seen = 0; records = 0 } in
  let left = program r (get "left") in
  let right = program r (get "right") in
  let verdict = word (get "verdict") in
  let goals = one_values semantics [ left.meant; right.meant ] in
  let given = array (get "one_values") in
  if List.length goals <> List.length given then fail "each fold has a proof that it has one value";
  let ones = List.map2 (one_value r) goals given in
  if verdict = "equivalent" && List.mem None ones then fail "that a fold has one value needs a proof";
  if verdict = "inequivalent" && List.exists2 (fun (_, merge) one -> merge <> None && one = None) goals ones then
    fail "that a fold has one value needs a proof";
  let ones = List.filter_map Fun.id ones in
  let claim = match verdict with
    | "equivalent" -> Equivalent (proof r (get "result"))
    | "inequivalent" ->
      if List.exists applies_functions [ left.meant; right.meant ] then uncovered "values of Python's functions";
      (match record r "Counterexample" (get "result") with
       | [ inputs; outputs ] ->
         let inputs = array inputs in
         if List.length inputs <> List.length left.rows then fail "each parameter has one value";
         let inputs = List.map2 (fun i json -> match table.(i).term with
             | Var (x, t) -> ((x, t), value json t) | _ -> fail "expected a variable") left.rows inputs in
         (match array outputs with
          | [ a; b ] -> Inequivalent (inputs, (value a table.(left.expression_row).of_type, value b table.(right.expression_row).of_type))
          | _ -> fail "expected two outputs")
       | _ -> fail "expected a counterexample")
    | _ -> fail "the verdict is another one" in
  if r.seen <> count then fail "not canonical: a term is unused";
  if left.returns <> right.returns || left.meant.stands_for <> right.meant.stands_for || left.meant.parameters <> right.meant.parameters
     || table.(left.expression_row).of_type <> table.(right.expression_row).of_type then
    fail "the programs take different parameters or return different types";
  { rows = table; left; right; ones; claim }
