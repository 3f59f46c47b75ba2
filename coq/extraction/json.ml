(* JSON as certificates use it: ASCII, integers, no floats, no key twice. Written by hand; not verified. *)

type t =
  | Null
  | Bool of bool
  | Integer of string  (* as it is written *)
  | Text of int list  (* code points *)
  | Array of t list
  | Object of (string * t) list

exception Malformed of string

let fail message = raise (Malformed message)
let digits_limit = 300
let depth_limit = 600

type source = { text : string; mutable place : int }

let peek s = if s.place < String.length s.text then s.text.[s.place] else '\000'
let next s = s.place <- s.place + 1

let expect s word =
  let length = String.length word in
  if s.place + length <= String.length s.text && String.sub s.text s.place length = word then s.place <- s.place + length
  else fail (Printf.sprintf "not JSON at byte %d" s.place)

let rec skip s = match peek s with ' ' | '\n' | '\r' | '\t' when s.place < String.length s.text -> next s; skip s | _ -> ()

let integer s =
  let start = s.place in
  if peek s = '-' then next s;
  let first = s.place in
  while (match peek s with '0' .. '9' -> true | _ -> false) do next s done;
  let digits = s.place - first in
  if digits = 0 || (digits > 1 && s.text.[first] = '0') then fail "not JSON: a number is malformed";
  (match peek s with '.' | 'e' | 'E' -> fail "a number is no integer" | _ -> ());
  let text = String.sub s.text start (s.place - start) in
  if String.length text > digits_limit then fail "an integer has too many digits";
  text

let hexadecimal s =
  let read () =
    let digit = match peek s with
      | '0' .. '9' as c -> Char.code c - 48 | 'a' .. 'f' as c -> Char.code c - 87 | 'A' .. 'F' as c -> Char.code c - 55
      | _ -> fail "not JSON: a \\u escape is malformed" in
    next s; digit in
  let a = read () in let b = read () in let c = read () in let d = read () in
  (((a * 16 + b) * 16 + c) * 16) + d

let text s =
  expect s "\"";
  let rec go letters = match peek s with
    | '"' when s.place < String.length s.text -> next s; List.rev letters
    | '\\' -> next s; let c = peek s in next s;
      (match c with
       | '"' -> go (34 :: letters) | '\\' -> go (92 :: letters) | '/' -> go (47 :: letters) | 'b' -> go (8 :: letters)
       | 'f' -> go (12 :: letters) | 'n' -> go (10 :: letters) | 'r' -> go (13 :: letters) | 't' -> go (9 :: letters)
       | 'u' ->
         let unit = hexadecimal s in
         (match letters with
          | high :: rest when unit land 0xfc00 = 0xdc00 && high land 0x3ffc00 = 0xd800 && high < 0x10000 ->
            go ((0x10000 + ((high land 0x3ff) lsl 10) + (unit land 0x3ff)) :: rest)
          | _ -> go (unit :: letters))
       | _ -> fail "not JSON: an escape is malformed")
    | c when c < ' ' || s.place >= String.length s.text -> fail "not JSON: a string does not end"
    | c when c > '\127' -> fail "not ASCII"
    | c -> next s; go (Char.code c :: letters) in
  go []

(* UTF-8, in which the order of bytes is that of code points. *)
let utf8 points =
  let buffer = Buffer.create 16 in
  List.iter (fun p ->
      if p >= 0xd800 && p <= 0xdfff then fail "a lone surrogate is no text";
      Buffer.add_utf_8_uchar buffer (Uchar.of_int p)) points;
  Buffer.contents buffer

let rec value s depth =
  if depth > depth_limit then fail "nested too deeply";
  skip s;
  let result = match peek s with
    | '{' -> next s; Object (members s depth [])
    | '[' -> next s; Array (items s depth)
    | '"' -> Text (text s)
    | 't' -> expect s "true"; Bool true
    | 'f' -> expect s "false"; Bool false
    | 'n' -> expect s "null"; Null
    | _ -> Integer (integer s) in
  skip s; result

and items s depth =
  skip s;
  if peek s = ']' then (next s; [])
  else
    let rec go found =
      let found = value s (depth + 1) :: found in
      if peek s = ',' then (next s; go found) else (expect s "]"; List.rev found) in
    go []

and members s depth found =
  skip s;
  if found = [] && peek s = '}' then (next s; [])
  else begin
    let key = utf8 (text s) in
    if List.mem_assoc key found then fail "a key occurs twice";
    skip s; expect s ":";
    let found = (key, value s (depth + 1)) :: found in
    if peek s = ',' then (next s; members s depth found) else (expect s "}"; List.rev found)
  end

let parse content =
  let s = { text = content; place = 0 } in
  let result = value s 0 in
  if s.place < String.length content then fail "not JSON: something follows it";
  result

let rec print buffer = function
  | Null -> Buffer.add_string buffer "null"
  | Bool b -> Buffer.add_string buffer (string_of_bool b)
  | Integer "-0" -> Buffer.add_string buffer "0"
  | Integer text -> Buffer.add_string buffer text
  | Text points -> Buffer.add_char buffer '"'; List.iter (print_letter buffer) points; Buffer.add_char buffer '"'
  | Array items -> Buffer.add_char buffer '['; separated buffer "," (print buffer) items; Buffer.add_char buffer ']'
  | Object members ->
    Buffer.add_char buffer '{';
    separated buffer "," (fun (key, item) -> Buffer.add_string buffer ("\"" ^ key ^ "\":"); print buffer item) members;
    Buffer.add_char buffer '}'

and separated : 'a. Buffer.t -> string -> ('a -> unit) -> 'a list -> unit = fun buffer comma print items ->
  List.iteri (fun i item -> if i > 0 then Buffer.add_string buffer comma; print item) items

and print_letter buffer point = match point with
  | 34 -> Buffer.add_string buffer "\\\"" | 92 -> Buffer.add_string buffer "\\\\" | 10 -> Buffer.add_string buffer "\\n"
  | 13 -> Buffer.add_string buffer "\\r" | 9 -> Buffer.add_string buffer "\\t" | 8 -> Buffer.add_string buffer "\\b"
  | 12 -> Buffer.add_string buffer "\\f"
  | p when p < 32 || (p > 126 && p < 0x10000 && p <> 127) -> Buffer.add_string buffer (Printf.sprintf "\\u%04x" p)
  | p when p < 0x10000 -> Buffer.add_char buffer (Char.chr p)
  | p -> let p = p - 0x10000 in
    Buffer.add_string buffer (Printf.sprintf "\\u%04x\\u%04x" (0xd800 lor (p lsr 10)) (0xdc00 lor (p land 0x3ff)))

(* A document is canonical: an object, one key a line, keys sorted. *)
let canonical document =
  match document with
  | Object members ->
    let buffer = Buffer.create 4096 in
    Buffer.add_string buffer "{\n";
    separated buffer ",\n" (fun (key, item) -> Buffer.add_string buffer ("\"" ^ key ^ "\":"); print buffer item)
      (List.sort (fun (a, _) (b, _) -> compare a b) members);
    Buffer.add_string buffer "\n}\n";
    Buffer.contents buffer
  | _ -> fail "expected an object"

(* What a part of a document has to be. *)
module Parts = struct
  let fail = fail
  let word = function Text points -> utf8 points | _ -> fail "expected a text"
  let array = function Array items -> items | _ -> fail "expected an array"
  let pair = function Array [ a; b ] -> (a, b) | _ -> fail "expected a pair"
  let integer = function Integer n -> n | _ -> fail "expected an integer"
end
