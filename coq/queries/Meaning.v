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

(** ** Expressions and queries

    An expression belongs to a row; [Column s i] is the [i]-th column of the row that is [s] scopes out.  A subquery opens a
    scope: in its expressions, [Column 0 i] is of its own rows, and [Column 1 i] of the row that it belongs to.

    [When c a b] is CASE WHEN c THEN a ELSE b END.  [ForSome c q] is the disjunction of [c] over
    the rows of [q], in whose scope [c] stands: EXISTS is [ForSome] of true, IN and ANY are [ForSome] of a comparison, and ALL is the
    negation of [ForSome] of a negated one. *)
Inductive kind := Numbers | Truths | Texts.
Inductive comparison := Equal | Below | AtMost | Same.
Inductive aggregate := Count | Sum | Least | Greatest.
Inductive expression :=
  | Column (scope i : nat) | Constant (k : kind) (v : value) | Plus (a b : expression) | Times (factor : Z) (a : expression)
  | Compare (c : comparison) (a b : expression) | Both (a b : expression) | Either (a b : expression) | Negated (a : expression)
  | IsNull (a : expression) | When (c a b : expression)
  | ForSome (condition : expression) (q : query) | TheValue (q : query)

(** [SemiJoin kept c p q] has the rows of [p] that have a partner in [q], or those that have none: semi joins, anti joins.
    [LeftJoin n c p q] pads the latter with [n] NULLs, for the columns of [q]. [Among kept p q] has the rows of [p] that are
    among those of [q], or those that are not: INTERSECT and EXCEPT. COUNT of all rows is [Count] of a constant. *)
with query :=
  | Table (name : string)
  | Rows (rs : list row)
  | Where (condition : expression) (q : query)
  | Select (columns : list expression) (q : query)
  | Join (condition : expression) (left right : query)
  | LeftJoin (width : nat) (condition : expression) (left right : query)
  | SemiJoin (kept : bool) (condition : expression) (left right : query)
  | UnionAll (left right : query)
  | ExceptAll (left right : query)
  | Among (kept : bool) (left right : query)
  | Distinct (q : query)
  | GroupBy (keys : list expression) (calls : list (aggregate * expression)) (q : query)
  | Total (calls : list (aggregate * expression)) (q : query).

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

(** Aggregates skip NULL: COUNT of nothing is 0, all others of nothing are NULL. *)
Definition taken (a : aggregate) (v : value) : value := match a, v with
  | Count, Null => Null | Count, _ => Number 1 | _, _ => v end.
Definition start (a : aggregate) : value := match a with Count => Number 0 | _ => Null end.
Definition operation (a : aggregate) : Z -> Z -> Z := match a with Least => Z.min | Greatest => Z.max | _ => Z.add end.
Definition combined (f : Z -> Z -> Z) (v w : value) : value := match v, w with
  | Number x, Number y => Number (f x y) | Null, _ => w | _, _ => v end.
Definition summary (a : aggregate) (vs : list value) : value := fold_left (combined (operation a)) (map (taken a) vs) (start a).

(** [l] without one row for each of those in [k]. *)
Fixpoint remove_one (r : row) (l : list row) : list row := match l with
  | [] => [] | s :: l => if row_eq_dec r s then l else s :: remove_one r l end.
Fixpoint without (l k : list row) : list row := match l with
  | [] => [] | r :: l => if in_dec row_eq_dec r k then without l (remove_one r k) else r :: without l k end.
Definition is_in (r : row) (l : list row) : bool := if in_dec row_eq_dec r l then true else false.

(** The rows of each table, in no particular order. *)
Definition database := string -> list row.

(** The value of an expression, where [rs] are the rows of its scopes, the innermost first; the rows that a query returns,
    in no particular order.  More than one row of a subquery in a value's place, an error, are NULL. *)
Fixpoint value_of (d : database) (rs : list row) (e : expression) {struct e} : value := match e with
  | Column s i => nth i (nth s rs []) Null
  | Constant _ v => v
  | Plus a b => match value_of d rs a, value_of d rs b with Number x, Number y => Number (x + y) | _, _ => Null end
  | Times c a => match value_of d rs a with Number x => Number (c * x) | _ => Null end
  | Compare c a b => compare c (value_of d rs a) (value_of d rs b)
  | Both a b => both (value_of d rs a) (value_of d rs b)
  | Either a b => either (value_of d rs a) (value_of d rs b)
  | Negated a => match value_of d rs a with Truth b => Truth (negb b) | _ => Null end
  | IsNull a => Truth (match value_of d rs a with Null => true | _ => false end)
  | When c a b => if is_true (value_of d rs c) then value_of d rs a else value_of d rs b
  | ForSome c q => fold_right either (Truth false) (map (fun r => value_of d (r :: rs) c) (answer d rs q))
  | TheValue q => match answer d rs q with [r] => hd Null r | _ => Null end
  end
with answer (d : database) (rs : list row) (q : query) {struct q} : list row := match q with
  | Table name => d name
  | Rows rows => rows
  | Where c q => filter (fun r => is_true (value_of d (r :: rs) c)) (answer d rs q)
  | Select es q => map (fun r => map (value_of d (r :: rs)) es) (answer d rs q)
  | Join c p q => filter (fun r => is_true (value_of d (r :: rs) c)) (flat_map (fun l => map (app l) (answer d rs q)) (answer d rs p))
  | LeftJoin n c p q => flat_map (fun l =>
      match filter (fun r => is_true (value_of d (r :: rs) c)) (map (app l) (answer d rs q)) with
      | [] => [l ++ repeat Null n] | joined => joined end) (answer d rs p)
  | SemiJoin kept c p q => filter (fun l =>
      Bool.eqb kept (existsb (fun r => is_true (value_of d ((l ++ r) :: rs) c)) (answer d rs q))) (answer d rs p)
  | UnionAll p q => answer d rs p ++ answer d rs q
  | ExceptAll p q => without (answer d rs p) (answer d rs q)
  | Among kept p q => filter (fun r => Bool.eqb kept (is_in r (answer d rs q))) (answer d rs p)
  | Distinct q => nodup row_eq_dec (answer d rs q)
  | GroupBy es cs q =>
      let key r := map (value_of d (r :: rs)) es in
      let group k := filter (fun r => if row_eq_dec (key r) k then true else false) (answer d rs q) in
      map (fun k => k ++ map (fun c => summary (fst c) (map (fun r => value_of d (r :: rs) (snd c)) (group k))) cs)
          (nodup row_eq_dec (map key (answer d rs q)))
  | Total cs q => [map (fun c => summary (fst c) (map (fun r => value_of d (r :: rs) (snd c)) (answer d rs q))) cs]
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
Definition same_answers (s : schema) (p q : query) : Prop := forall d, conforms s d -> Permutation (answer d [] p) (answer d [] q).

(** What a catalogue says of tables beside: no two rows have the same values in the columns of a key, unless there is a NULL; for
    each row without NULL in the columns of a foreign key there is one with its values; a check is not false. *)
Inductive constraint :=
  | Key (table : string) (columns : list nat)
  | ForeignKey (table : string) (columns : list nat) (target : string) (referenced : list nat)
  | Check (table : string) (e : expression).
Definition values (columns : list nat) (r : row) : list value := map (fun i => nth i r Null) columns.
Definition satisfies (d : database) (c : constraint) : Prop := match c with
  | Key t cs => ForallOrdPairs (fun r r' => In Null (values cs r) \/ values cs r <> values cs r') (d t)
  | ForeignKey t cs u ks => forall r, In r (d t) -> In Null (values cs r) \/ exists r', In r' (d u) /\ values ks r' = values cs r
  | Check t e => forall r, In r (d t) -> value_of d [r] e <> Truth false
  end.
(** The same on every database of the schema that satisfies the constraints. *)
Definition same_answers_under (s : schema) (cs : list constraint) (p q : query) : Prop :=
  forall d, conforms s d -> Forall (satisfies d) cs -> Permutation (answer d [] p) (answer d [] q).
(** On some database of the schema they do not. *)
Definition different_answers (s : schema) (p q : query) : Prop := exists d, conforms s d /\ ~ Permutation (answer d [] p) (answer d [] q).
