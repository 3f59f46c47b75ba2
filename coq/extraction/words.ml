(* The claim that was checked, in the words of certificates/printing.py: every subterm once, every name quoted, nothing cut.
   Both auditors' words are compared, so a mistake of either reader about a claim is seen. *)

open Checker
open Numbers
open Terms
open Programs

(* The code points of a text in UTF-8, which `Json.utf8` wrote. *)
let points text =
  let byte place = Char.code text.[place] in
  let rec more n point place = if n = 0 then point else more (n - 1) ((point lsl 6) lor (byte place land 63)) (place + 1) in
  let rec go place =
    if place >= String.length text then []
    else
      let first = byte place in
      let rest = if first < 0x80 then 0 else if first < 0xe0 then 1 else if first < 0xf0 then 2 else 3 in
      let bits = if rest = 0 then first else first land (0x3f lsr rest) in
      more rest bits (place + 1) :: go (place + 1 + rest) in
  go 0

(* A text as Python's `ascii` writes it, with every other one of several blanks escaped. *)
let quoted text =
  let mark = if String.contains text '\'' && not (String.contains text '"') then '"' else '\'' in
  let escaped = function
    | 10 -> "\\n" | 13 -> "\\r" | 9 -> "\\t" | 92 -> "\\\\"
    | p when p = Char.code mark -> Printf.sprintf "\\%c" mark
    | p when p >= 32 && p < 127 -> String.make 1 (Char.chr p)
    | p when p < 256 -> Printf.sprintf "\\x%02x" p
    | p when p < 0x10000 -> Printf.sprintf "\\u%04x" p
    | p -> Printf.sprintf "\\U%08x" p in
  let rec all = function
    | 32 :: 32 :: rest -> " \\x20" :: all rest
    | point :: rest -> escaped point :: all rest
    | [] -> [] in
  Printf.sprintf "%c%s%c" mark (String.concat "" (all (points text))) mark

let quoted_letters l = quoted (text_of l)
let listed = String.concat ", "
let tuple = function [ part ] -> "(" ^ part ^ ",)" | parts -> "(" ^ listed parts ^ ")"

let rec type_text = function
  | TInt -> "Int" | TBool -> "Bool" | TText -> "Text" | TOpt t -> type_text t ^ "?"
  | TTup ts -> tuple (List.map type_text ts) | TBag t -> "Bag[" ^ type_text t ^ "]"

(* As Python writes a type in full. *)
let rec type_in_full = function
  | TInt -> "IntType()" | TBool -> "BoolType()" | TText -> "TextType()" | TOpt t -> "OptionType(of=" ^ type_in_full t ^ ")"
  | TTup ts -> "TupleType(components=" ^ tuple (List.map type_in_full ts) ^ ")"
  | TBag t -> "BagType(element=" ^ type_in_full t ^ ")"

let bool_text b = if b then "True" else "False"

let rec value_text = function
  | VInt z -> z_text z | VBool b -> bool_text b | VText l -> quoted_letters l
  | VNone -> "None" | VSome v -> value_text v | VTup vs -> tuple (List.map value_text vs)
  | VBag vs -> "{{" ^ listed (counted_values vs) ^ "}}"

and counted_values = function
  | [] -> []
  | v :: rest ->
    let rec split n = function w :: rest when w = v -> split (n + 1) rest | rest -> (n, rest) in
    let n, rest = split 1 rest in
    (value_text v ^ if n > 1 then Printf.sprintf " (x%d)" n else "") :: counted_values rest

let joined sign parts = "(" ^ String.concat sign parts ^ ")"
let called name parts = name ^ "(" ^ listed parts ^ ")"

let operation op parts = match op, parts with
  | Add, _ -> joined " + " parts | Equal, _ -> joined " = " parts | Less, _ -> joined " < " parts
  | LessEq, _ -> joined " <= " parts | And, _ -> joined " and " parts | Or, _ -> joined " or " parts
  | Tuple, _ -> tuple parts
  | Proj n, [ part ] -> Printf.sprintf "%s.%d" part (int_of n)
  | Ite, [ c; a; b ] -> Printf.sprintf "(if %s then %s else %s)" c a b
  | Scale z, _ -> called ("scale[" ^ z_text z ^ "]") parts
  | Div z, _ -> called ("div[" ^ z_text z ^ "]") parts
  | Mod z, _ -> called ("mod[" ^ z_text z ^ "]") parts
  | NoneOf t, _ -> called ("none[" ^ type_in_full t ^ "]") parts
  | Apply (f, _, t), _ -> Printf.sprintf "(%s: %s)" (called (quoted_letters f) parts) (type_text t)
  | Expand (f, _, t), _ -> called (Printf.sprintf "expand[(%s, %s)]" (quoted_letters f) (type_in_full t)) parts
  | Not, _ -> called "not" parts | SomeOf, _ -> called "some" parts | IsNone, _ -> called "is_none" parts
  | ValueOf _, _ -> called "value" parts | Map, _ -> called "map" parts | Filter, _ -> called "filter" parts
  | Cartesian, _ -> called "cartesian" parts | Union, _ -> called "union" parts | Distinct, _ -> called "distinct" parts
  | Without, _ -> called "without" parts | Fold, _ -> called "fold" parts | FoldByKey, _ -> called "fold_by_key" parts
  | (Proj _ | Ite), _ -> Json.fail "an operator has other arguments"

let over_bags = function
  | Op ((Map | Filter | Cartesian | Union | Distinct | Expand _ | Without | Fold | FoldByKey), _) -> true
  | _ -> false

let text shown row = match row.term with
  | Int z -> z_text z | Bool b -> bool_text b | Text l -> quoted_letters l
  | Var (N x, _) -> quoted_letters x
  | Elem _ -> "element" | Acc _ -> "state"
  | Op (op, _) -> operation op (List.map shown row.arguments)
  | _ -> Json.fail "a program has another variable"

(* What a row is made of, arguments before the rows that they occur in. *)
let rows_of table roots =
  let seen = Hashtbl.create 64 in
  let found = ref [] in
  let rec visit i =
    if not (Hashtbl.mem seen i) then begin
      List.iter visit table.(i).arguments;
      if not (Hashtbl.mem seen i) then (Hashtbl.add seen i (); found := i :: !found)
    end in
  List.iter visit roots;
  List.rev !found

let stands_for = function
  | "value" -> "" | "dict" -> "the dictionary with the items " | "mean" -> "the mean with the sum and count "
  | "list" -> "the list that stands for (order, element) in "
  | other -> other ^ " by key, of pairs "

let program_lines table (p : Programs.program) =
  let roots = p.expression_row :: List.concat_map (fun (fold, merge) -> fold :: Option.to_list merge) p.fold_rows in
  let rows = rows_of table roots in
  let uses = Hashtbl.create 64 in
  List.iter (fun i -> List.iter (fun j -> Hashtbl.replace uses j (1 + Option.value ~default:0 (Hashtbl.find_opt uses j))) table.(i).arguments) rows;
  let numbers = Hashtbl.create 64 in
  let shown i = match Hashtbl.find_opt numbers i with Some n -> Printf.sprintf "[%d]" n | None -> "" in
  let rec in_place i = if Hashtbl.mem numbers i then shown i else text in_place table.(i) in
  let again i = match table.(i).term with Op _ -> (match Hashtbl.find_opt uses i with Some n -> n > 1 | None -> false) | _ -> false in
  let line i =
    if over_bags table.(i).term || again i then begin
      let number = Hashtbl.length numbers + 1 in
      let text = text in_place table.(i) in
      Hashtbl.add numbers i number;
      Some (Printf.sprintf "  [%d] %s" number text)
    end else None in
  let operations = List.filter_map line rows in
  let parameter i = match table.(i).term with Var (N x, t) -> quoted_letters x ^ ": " ^ type_text t | _ -> Json.fail "expected a variable" in
  let raises = match p.meant.stands_for with MayRaise _ -> "or raises, as (whether it returns, what it returns): " | _ -> "" in
  let merged (fold, merge) =
    let how = match merge with None -> "by Spark's own method" | Some m -> "by " ^ in_place m in
    Printf.sprintf "  merges partitions of %s %s" (in_place fold) how in
  (Printf.sprintf "%s takes (%s)" (quoted p.name) (listed (List.map parameter p.rows)) :: operations)
  @ (Printf.sprintf "  returns %s%s%s" raises (stands_for p.returns) (in_place p.expression_row) :: List.map merged p.fold_rows)

let claim_lines (c : Certificate.certificate) =
  let names = quoted c.left.name ^ " and " ^ quoted c.right.name in
  let input ((x, _), v) = (match x with N l -> quoted_letters l | _ -> "?") ^ " = " ^ value_text v in
  let first = match c.claim with
    | Certificate.Equivalent _ -> Printf.sprintf "for every input, %s return the same" names
    | Certificate.Inequivalent (inputs, (one, other)) ->
      let given = if inputs = [] then "without parameters" else listed (List.map input inputs) in
      Printf.sprintf "on the input %s, %s return %s and %s" given names (value_text one) (value_text other) in
  (first :: program_lines c.rows c.left) @ program_lines c.rows c.right
  @ [ "meaning: " ^ c.semantics; "assuming: " ^ if c.assumptions = [] then "nothing" else String.concat "; " c.assumptions ]
