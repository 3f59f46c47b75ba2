(* Values, typed by the programs. A bag lists each element once, in ascending order, with its multiplicity. *)

open Checker
open Json.Parts
open Numbers

let elements_limit = 100_000

let rec value json of_type = match json, of_type with
  | Json.Integer n, TInt -> VInt (z_of n)
  | (Json.Text _ as text), TText -> VText (letters (word text))
  | Json.Null, TOpt _ -> VNone
  | json, TOpt t -> VSome (value json t)
  | Json.Bool b, TBool -> VBool b
  | Json.Array items, TTup types when List.length items = List.length types -> VTup (List.map2 value items types)
  | Json.Array items, TBag t ->
    let pairs = List.map (fun p -> let x, n = pair p in (value x t, integer n)) items in
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
