(** * What queries mean

    This file is all that a sceptic has to read of claims about SQL: values with NULL, three-valued logic, queries over
    bags of rows, and the two claims, [same_answers] and [different_answers].  It needs Coq's standard library alone. *)
From Coq Require Export ZArith List Bool String Permutation.
Export ListNotations.
Open Scope Z_scope.

(** ** Values

    Dates, timestamps and intervals are numbers: of days, of months, of microseconds. *)
Inductive value := Null | Number (z : Z) | Truth (b : bool) | Text (s : string).
Definition value_eq_dec : forall v w : value, {v = w} + {v <> w}.
Proof. decide equality; [apply Z.eq_dec|apply Bool.bool_dec|apply String.string_dec]. Defined.
Definition row := list value.
Definition row_eq_dec : forall r s : row, {r = s} + {r <> s} := list_eq_dec value_eq_dec.

(** Equality as GROUP BY, DISTINCT and IS NOT DISTINCT FROM have it: NULL is the same as NULL. *)
Definition same (v w : value) : bool := if value_eq_dec v w then true else false.

(** ** Expressions *)
Inductive kind := Numbers | Truths | Texts.
Inductive comparison := Equal | Below | AtMost | Same.

(** [When c a b] is CASE WHEN c THEN a ELSE b END; [Is b a] is IS TRUE or IS FALSE. *)
Inductive expression :=
  | Column (i : nat) | Constant (k : kind) (v : value) | Plus (a b : expression) | Times (factor : Z) (a : expression)
  | Compare (c : comparison) (a b : expression) | Both (a b : expression) | Either (a b : expression) | Negated (a : expression)
  | IsNull (a : expression) | Is (b : bool) (a : expression) | When (c a b : expression).

Definition compare (c : comparison) (v w : value) : value := match c, v, w with
  | Same, _, _ => Truth (same v w)
  | _, Null, _ | _, _, Null => Null
  | Equal, _, _ => Truth (same v w)
  | Below, Number x, Number y => Truth (x <? y)
  | AtMost, Number x, Number y => Truth (x <=? y)
  | _, _, _ => Null
  end.
(** The least and the greatest of two truth values, where false < NULL < true. *)
Definition both (v w : value) : value := match v, w with
  | Truth false, _ | _, Truth false => Truth false | Truth true, Truth true => Truth true | _, _ => Null end.
Definition either (v w : value) : value := match v, w with
  | Truth true, _ | _, Truth true => Truth true | Truth false, Truth false => Truth false | _, _ => Null end.
Definition is_true (v : value) : bool := match v with Truth b => b | _ => false end.

Fixpoint value_of (r : row) (e : expression) : value := match e with
  | Column i => nth i r Null
  | Constant _ v => v
  | Plus a b => match value_of r a, value_of r b with Number x, Number y => Number (x + y) | _, _ => Null end
  | Times c a => match value_of r a with Number x => Number (c * x) | _ => Null end
  | Compare c a b => compare c (value_of r a) (value_of r b)
  | Both a b => both (value_of r a) (value_of r b)
  | Either a b => either (value_of r a) (value_of r b)
  | Negated a => match value_of r a with Truth b => Truth (negb b) | _ => Null end
  | IsNull a => Truth (match value_of r a with Null => true | _ => false end)
  | Is b a => Truth (match value_of r a with Truth c => Bool.eqb b c | _ => false end)
  | When c a b => if is_true (value_of r c) then value_of r a else value_of r b
  end.

(** ** Aggregates

    NULL is skipped: COUNT of nothing is 0, all others of nothing are NULL. *)
Inductive call := CountAll | Count (e : expression) | Sum (e : expression) | Least (e : expression) | Greatest (e : expression).
Definition argument (c : call) : expression := match c with
  | CountAll => Constant Numbers (Number 1)
  | Count e => When (IsNull e) (Constant Numbers Null) (Constant Numbers (Number 1))
  | Sum e | Least e | Greatest e => e
  end.
Definition start (c : call) : value := match c with CountAll | Count _ => Number 0 | _ => Null end.
Definition operation (c : call) : Z -> Z -> Z := match c with Least _ => Z.min | Greatest _ => Z.max | _ => Z.add end.
Definition combined (f : Z -> Z -> Z) (v w : value) : value := match v, w with
  | Number x, Number y => Number (f x y) | Null, _ => w | _, _ => v end.
Definition summary (c : call) (rs : list row) : value :=
  fold_left (combined (operation c)) (map (fun r => value_of r (argument c)) rs) (start c).

(** ** Queries *)
Inductive query :=
  | Table (name : string)
  | Where (condition : expression) (q : query)
  | Select (columns : list expression) (q : query)
  | Join (condition : expression) (left right : query)
  | UnionAll (left right : query)
  | Distinct (q : query)
  | GroupBy (keys : list expression) (calls : list call) (q : query).

(** The rows of each table, in no particular order. *)
Definition database := string -> list row.

(** The rows that a query returns, in no particular order. *)
Fixpoint answer (d : database) (q : query) : list row := match q with
  | Table name => d name
  | Where c q => filter (fun r => is_true (value_of r c)) (answer d q)
  | Select es q => map (fun r => map (value_of r) es) (answer d q)
  | Join c p q => filter (fun r => is_true (value_of r c)) (flat_map (fun l => map (fun r => l ++ r) (answer d q)) (answer d p))
  | UnionAll p q => answer d p ++ answer d q
  | Distinct q => nodup row_eq_dec (answer d q)
  | GroupBy es cs q =>
      let key r := map (value_of r) es in
      map (fun k => k ++ map (fun c => summary c (filter (fun r => if row_eq_dec (key r) k then true else false) (answer d q))) cs)
          (nodup row_eq_dec (map key (answer d q)))
  end.

(** ** Claims

    A schema has the tables; a column is of a kind, and may hold NULL or not. *)
Definition schema := list (string * list (kind * bool)).
Definition admits (column : kind * bool) (v : value) : Prop := match fst column, v with
  | _, Null => snd column = true
  | Numbers, Number _ | Truths, Truth _ | Texts, Text _ => True
  | _, _ => False
  end.
Definition conforms (s : schema) (d : database) : Prop :=
  forall name columns r, In (name, columns) s -> In r (d name) -> Forall2 admits columns r.

(** On every database of the schema both queries return the same bag of rows. *)
Definition same_answers (s : schema) (p q : query) : Prop := forall d, conforms s d -> Permutation (answer d p) (answer d q).
(** On some database of the schema they do not. *)
Definition different_answers (s : schema) (p q : query) : Prop := exists d, conforms s d /\ ~ Permutation (answer d p) (answer d q).
