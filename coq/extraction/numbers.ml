(* Numbers and texts as the checker has them: binary integers, unary numbers of things, lists of letters. *)

open Checker

(* Each unary number is the successor of the one before it in this table, so that many large ones take no more memory. *)
let limit = 1_000_000
let unary = lazy (let table = Array.make limit O in
                  for i = 1 to limit - 1 do table.(i) <- S table.(i - 1) done;
                  table)
let rec nat_of i = if i < 1000 then (if i <= 0 then O else S (nat_of (i - 1))) else (Lazy.force unary).(i)

let rec positive_of i = if i = 1 then XH else if i land 1 = 1 then XI (positive_of (i lsr 1)) else XO (positive_of (i lsr 1))
let z_of_int i = if i = 0 then Z0 else Zpos (positive_of i)

let z_of text =
  let negative = text.[0] = '-' in
  let digits = if negative then String.sub text 1 (String.length text - 1) else text in
  let ten = z_of_int 10 in
  let number = ref Z0 in
  String.iter (fun c -> number := Z.add (Z.mul !number ten) (z_of_int (Char.code c - 48))) digits;
  if negative then Z.opp !number else !number

(* Decimal digits, the last one first, of twice a number and a bit. *)
let rec doubled carry = function
  | [] -> if carry = 0 then [] else [ carry ]
  | digit :: rest -> let n = (2 * digit) + carry in (n mod 10) :: doubled (n / 10) rest

let rec digits = function XH -> [ 1 ] | XO p -> doubled 0 (digits p) | XI p -> doubled 1 (digits p)
let decimal p = String.concat "" (List.rev_map string_of_int (digits p))
let z_text = function Z0 -> "0" | Zpos p -> decimal p | Zneg p -> "-" ^ decimal p
let rec int_of = function O -> 0 | S n -> 1 + int_of n

(* The number of a fact, unknown, monomial, slot, law or component: what is too large names none of them. *)
let small text = match int_of_string_opt text with
  | Some i when i >= 0 && i < limit -> i
  | _ -> Json.fail "a number names nothing"
let number json = nat_of (small (Json.Parts.integer json))

let letters text = List.init (String.length text) (String.get text)
let text_of letters = String.of_seq (List.to_seq letters)
