(* A second auditor: reads certificate files, and asks the checker that Coq proved sound. One line a file:
   "accepted", the claim in words and the milliseconds it took; "rejected" and the reason; or "uncovered", and what the
   development does not have. *)

open Checker

let shown name = match name with N letters -> String.of_seq (List.to_seq letters) | _ -> "?"

let rec type_text = function
  | TInt -> "Int" | TBool -> "Bool" | TText -> "Text" | TOpt t -> type_text t ^ "?" | TTup [ t ] -> "(" ^ type_text t ^ ",)"
  | TTup ts -> "(" ^ String.concat ", " (List.map type_text ts) ^ ")" | TBag t -> "Bag[" ^ type_text t ^ "]"

let claim (c : Certificate.certificate) =
  let parameter i = match c.rows.(i).term with Var (x, t) -> shown x ^ ": " ^ type_text t | _ -> "?" in
  let inputs = String.concat ", " (List.map parameter c.left.rows) in
  match c.claim with
  | Equivalent _ -> Printf.sprintf "for every input (%s), %S and %S return the same" inputs c.left.name c.right.name
  | Inequivalent _ -> Printf.sprintf "on some input (%s), %S and %S return different values" inputs c.left.name c.right.name

let holds (c : Certificate.certificate) =
  match c.claim with
  | Equivalent proof -> check fuel c.left.meant c.right.meant proof c.ones
  | Inequivalent (inputs, returned) -> differ fuel c.left.meant c.right.meant [] inputs returned c.ones

let contents path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (min (in_channel_length file) 1_000_001))

let audit path =
  match Certificate.read (contents path) with
  | exception Json.Malformed reason -> Error ("rejected", reason)
  | exception Certificate.Uncovered what -> Error ("uncovered", what)
  | exception Stack_overflow -> Error ("rejected", "nested too deeply")
  | c -> (match holds c with
      | true -> Ok (claim c)
      | false -> Error ("rejected", "the proof is none of this claim")
      | exception Stack_overflow -> Error ("rejected", "nested too deeply"))

let () =
  let paths = List.tl (Array.to_list Sys.argv) in
  if paths = [] then (prerr_endline "usage: auditor CERTIFICATE..."; exit 3);
  let accepted = List.map (fun path ->
      let start = Unix.gettimeofday () in
      let outcome = audit path in
      let milliseconds = 1000. *. (Unix.gettimeofday () -. start) in
      (match outcome with
       | Ok claim -> Printf.printf "accepted\t%.2f\t%s\t%s\n%!" milliseconds path claim
       | Error (word, reason) -> Printf.printf "%s\t%.2f\t%s\t%s\n%!" word milliseconds path reason);
      Result.is_ok outcome) paths in
  exit (if List.for_all Fun.id accepted then 0 else 1)
