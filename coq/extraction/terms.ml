(* Types, and terms as rows of a table: each is typed as it is read. *)

open Checker
open Json.Parts
open Numbers

(* What the development does not cover; the auditor says so, and neither accepts nor rejects. *)
exception Uncovered of string
let uncovered what = raise (Uncovered ("the Coq development has no " ^ what))

let rows_limit = 20_000
let leaves_limit = 200
let size_limit = 2_000_000  (* of a term written out, which the checker walks over *)
let records_limit = 50_000

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

type row = { term : term; of_type : ty; bound : term list; arguments : int list; size : int }

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

(* `any 0`, `any 1`, … are the parameters of what MEMBERS defines, where a certificate may have that rule. *)
let name_of members text =
  match if members then String.split_on_char ' ' text else [] with
  | [ "any"; digits ] ->
    let number = small digits in
    if string_of_int number = digits then Any (nat_of number) else fail "a number names nothing"
  | _ -> N (letters text)

let row members rows count json =
  match array json with
  | (Json.Text _ as tag) :: parameter :: numbers ->
    let arguments = List.map (function
        | Json.Integer n when (match int_of_string_opt n with Some i -> i >= 0 && i < count | None -> false) -> int_of_string n
        | _ -> fail "there is no such term before it") numbers in
    let parts = List.map (fun i -> rows.(i)) arguments in
    let terms = List.map (fun p -> p.term) parts and types = List.map (fun p -> p.of_type) parts in
    let leaf term of_type bound = if arguments = [] then { term; of_type; bound; arguments; size = 1 } else fail "no typing rule" in
    (match word tag, parameter with
     | "constant", Json.Integer n -> leaf (Int (z_of n)) TInt []
     | "constant", Json.Bool b -> leaf (Bool b) TBool []
     | "constant", (Json.Text _ as text) -> leaf (Text (letters (word text))) TText []
     | "constant", Json.Array _ -> uncovered "rational constant"
     | "variable", Json.Array [ name; t ] -> let t = type_of t in leaf (Var (name_of members (word name), t)) t []
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
       let size = List.fold_left (fun n p -> n + p.size) 1 parts in
       if size > size_limit then fail "a term is too large";
       { term = Op (op, terms); of_type; bound; arguments; size })
  | _ -> fail "expected an operator, its parameter and its arguments"

(* Reading what refers to terms. The order of first visits has to be that of the rows: no row is unused or repeated. *)

type reader = { table : row array; members : bool; mutable used_members : bool; mutable seen : int; mutable records : int }

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

let counted r = r.records <- r.records + 1; if r.records > records_limit then fail "too many records"

let record r tag json =
  counted r;
  match array json with
  | found :: parts when word found = tag -> parts
  | _ -> fail ("expected " ^ tag)

let tag_of json = match array json with Json.Text points :: _ -> Json.utf8 points | _ -> fail "expected a record"
let type_at r i = r.table.(i).of_type
let variable r i = match r.table.(i).term with Var (x, _) -> x | _ -> fail "expected a variable"
let closed r i = if r.table.(i).bound = [] then r.table.(i).term else fail "a bound variable occurs outside of its function"
let fresh r json of_type =
  let i = term r json in
  let name = variable r i in
  if r.table.(i).of_type = of_type then name else fail "a fresh variable has the wrong type"

(* The certificate's table: each term is a row of its own, and typed. *)
let table members rows =
  let count = List.length rows in
  if count > rows_limit then fail "too many terms";
  let table = Array.make count { term = Bool true; of_type = TBool; bound = []; arguments = []; size = 1 } in
  let known = Hashtbl.create count in
  List.iteri (fun i json ->
      if Hashtbl.mem known json then fail "not canonical: a term is repeated";
      Hashtbl.add known json ();
      table.(i) <- row members table i json;
      if leaves table.(i).of_type > leaves_limit then fail "a type is too large") rows;
  { table; members; used_members = false; seen = 0; records = 0 }

let require_all_seen r = if r.seen <> Array.length r.table then fail "not canonical: a term is unused"
