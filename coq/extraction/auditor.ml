(* A second auditor: reads certificate files, and asks the checker that Coq proved sound. For each file it prints "accepted",
   "rejected", or "uncovered" for what the development does not have; the milliseconds it took; and the file's name. Below,
   each line after a tab: the claim that was checked, in full; or the reason. *)

open Checker

let seconds = 20  (* of processor time for each file *)
let words_of_memory = 64_000_000
exception Too_much of string

let bounded work =
  let started = Gc.create_alarm (fun () ->
      if (Gc.quick_stat ()).heap_words > words_of_memory then raise (Too_much "it takes more memory than an audit may")) in
  let clock it_value = ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.; it_value }) in
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle (fun _ -> raise (Too_much "it takes longer than an audit may")));
  clock (float_of_int seconds);
  Fun.protect ~finally:(fun () -> clock 0.; Gc.delete_alarm started) work

let holds (c : Certificate.certificate) = match c.claim with
  | Equivalent proof -> check fuel c.left.meant c.right.meant proof c.ones
  | Inequivalent (inputs, returned) -> differ fuel c.left.meant c.right.meant [] inputs returned c.ones

let contents path =
  let file = open_in_bin path in
  let most = Certificate.bytes_limit + 1 in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (min (in_channel_length file) most))

let audit path =
  match bounded (fun () -> let c = Certificate.read (contents path) in if holds c then Some (Words.claim_lines c) else None) with
  | Some lines -> ("accepted", lines)
  | None -> ("rejected", [ "the proof is none of this claim" ])
  | exception Json.Malformed reason -> ("rejected", [ reason ])
  | exception Terms.Uncovered what -> ("uncovered", [ what ])
  | exception (Too_much reason | Sys_error reason) -> ("rejected", [ reason ])
  | exception Stack_overflow -> ("rejected", [ "nested too deeply" ])
  | exception Out_of_memory -> ("rejected", [ "it takes more memory than an audit may" ])

(* A certificate may put signs into a reason that a terminal, or a reader of lines, would obey. *)
let harmless = String.map (fun c -> if c < ' ' || c = '\127' then '?' else c)

let () =
  let paths = List.tl (Array.to_list Sys.argv) in
  if paths = [] then (prerr_endline "usage: auditor CERTIFICATE..."; exit 3);
  let accepted = List.map (fun path ->
      let start = Unix.gettimeofday () in
      let word, lines = audit path in
      let milliseconds = 1000. *. (Unix.gettimeofday () -. start) in
      Printf.printf "%s\t%.2f\t%s\n" word milliseconds (harmless path);
      List.iter (fun line -> Printf.printf "\t%s\n" (harmless line)) lines;
      flush stdout;
      word = "accepted") paths in
  exit (if List.for_all Fun.id accepted then 0 else 1)
