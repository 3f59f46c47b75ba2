(** * What programs mean

    This file is all that a sceptic has to read: values, the language, the meaning of programs, and the two claims that
    a certificate can make, [equivalent] and [inequivalent].  Everything else is checked by Coq. *)
From Coq Require Export ZArith List Bool String Permutation Lia.
Export ListNotations.
Open Scope Z_scope.

(** ** Values

    Integers are exact.  A text is a string of bytes in UTF-8, whose order is that of the code points.  A bag is a sorted list of
    its elements, so that two bags are equal exactly when their lists are ([Values.bag_same]: [bag l = bag k] if and only if
    [Permutation l k]). *)
Inductive ty := TInt | TBool | TText | TOpt (of : ty) | TTup (components : list ty) | TBag (element : ty).
Inductive val := VInt (z : Z) | VBool (b : bool) | VText (s : string) | VNone | VSome (v : val) | VTup (vs : list val) | VBag (vs : list val).

(** Python's order of integers, booleans, texts and tuples; None comes first.  Any total order would do for bags. *)
Fixpoint vcompare (v w : val) : comparison :=
  let fix lex (vs ws : list val) : comparison :=
    match vs, ws with
    | [], [] => Eq | [], _ => Lt | _, [] => Gt
    | v :: vs, w :: ws => match vcompare v w with Eq => lex vs ws | c => c end
    end in
  match v, w with
  | VInt a, VInt b => Z.compare a b | VInt _, _ => Lt | _, VInt _ => Gt
  | VBool a, VBool b => Z.compare (Z.b2z a) (Z.b2z b) | VBool _, _ => Lt | _, VBool _ => Gt
  | VText a, VText b => String.compare a b | VText _, _ => Lt | _, VText _ => Gt
  | VNone, VNone => Eq | VNone, _ => Lt | _, VNone => Gt
  | VSome v, VSome w => vcompare v w | VSome _, _ => Lt | _, VSome _ => Gt
  | VTup vs, VTup ws => lex vs ws | VTup _, _ => Lt | _, VTup _ => Gt
  | VBag vs, VBag ws => lex vs ws
  end.
Definition veqb v w := match vcompare v w with Eq => true | _ => false end.
Definition vleb v w := match vcompare v w with Gt => false | _ => true end.

Fixpoint insert (v : val) (l : list val) : list val :=
  match l with [] => [v] | w :: r => if vleb v w then v :: l else w :: insert v r end.
Fixpoint sort (l : list val) : list val := match l with [] => [] | v :: r => insert v (sort r) end.
Definition bag (l : list val) : val := VBag (sort l).
Fixpoint dedup (l : list val) : list val :=
  match l with [] => [] | v :: r => v :: filter (fun w => negb (veqb v w)) (dedup r) end.

(** A value as an integer, a boolean, a tuple, a bag.  On values of another type these return something, which does not
    matter: claims are about well-typed programs on inputs of their types. *)
Definition nothing := VInt 0.
Definition toZ v := match v with VInt z => z | VBool b => Z.b2z b | _ => 0 end.
Definition toB v := 1 <=? toZ v.
Definition components v := match v with VTup vs => vs | _ => [] end.
Definition component (i : nat) v := nth i (components v) nothing.
Definition elements v := match v with VBag l => l | _ => [] end.
Definition is_none v := match v with VNone => true | _ => false end.
Definition leb v w := match v, w with VText s, VText t => vleb v w | _, _ => toZ v <=? toZ w end.

(** The least value of a type, which stands for the value of None. *)
Fixpoint default (t : ty) : val := match t with
  | TInt => VInt 0 | TBool => VBool false | TText => VText "" | TOpt _ => VNone | TTup ts => VTup (map default ts) | TBag _ => VBag [] end.

(** ** The language (SparkLite, TR Fig. 4) *)

(** [N] names parameters and variables.  The others occur in proofs only: [S b i] names an arbitrary element of the bag [b],
    the [i]-th one, [Post] what a by-key fold returns, and [Any i] some arbitrary value.  [App f ts vs] is no variable: it names
    the value of the function [f] for the arguments [vs], of types [ts]. *)
Inductive name := N (s : string) | S (bag : name) (slot : nat) | Post | Any (i : nat) | App (f : string) (takes : list ty) (arguments : list val).

(** [Apply] applies a function of which nothing is known but its name and types; [Expand] pairs each element with each item of
    the list that such a function gives. *)
Inductive op :=
  | Add | Scale (factor : Z) | Div (divisor : Z) | Mod (divisor : Z) | Equal | Less | LessEq | Not | And | Or
  | Tuple | Proj (index : nat) | Ite | NoneOf (t : ty) | SomeOf | IsNone | ValueOf (t : ty)
  | Apply (f : string) (takes : list ty) (gives : ty) | Map | Filter | Cartesian | Union | Distinct
  | Expand (f : string) (takes : list ty) (item : ty) | Without | Fold | FoldByKey.

(** A user-defined function is the term of its body, over [Elem] (the element that it is applied to) and, in folds,
    [Acc] (the value accumulated so far). *)
Inductive term :=
  | Int (z : Z) | Bool (b : bool) | Text (s : string) | Var (x : name) (t : ty) | Elem (t : ty) | Acc (t : ty) | Op (o : op) (args : list term).

(** ** Meaning *)

(** An input: a value for each variable, and for each function and its arguments. *)
Definition env := name -> ty -> val.

(** How a cluster computes folds: [how t f z l] is what it returns for the fold or by-key fold [t] that takes the
    elements [l], of one key, from [z] with [f]. *)
Definition cluster := term -> (val -> val -> val) -> val -> list val -> val.

(** The value of a term on the input [r]; in a function, [e] is the element and [a] what is accumulated. *)
Fixpoint run (how : cluster) (r : env) (e a : val) (t : term) {struct t} : val :=
  match t with
  | Int z => VInt z | Bool b => VBool b | Text s => VText s | Var x t => r x t | Elem _ => e | Acc _ => a
  | Op Add args => VInt (fold_right Z.add 0 (map toZ (map (run how r e a) args)))
  | Op (Scale c) [x] => VInt (c * toZ (run how r e a x))
  | Op (Div c) [x] => VInt (toZ (run how r e a x) / c)
  | Op (Mod c) [x] => VInt (toZ (run how r e a x) mod c)
  | Op Equal [x; y] => VBool (veqb (run how r e a x) (run how r e a y))
  | Op Less [x; y] => VBool (negb (leb (run how r e a y) (run how r e a x)))
  | Op LessEq [x; y] => VBool (leb (run how r e a x) (run how r e a y))
  | Op Not [x] => VBool (negb (toB (run how r e a x)))
  | Op And args => VBool (forallb toB (map (run how r e a) args))
  | Op Or args => VBool (existsb toB (map (run how r e a) args))
  | Op Tuple args => VTup (map (run how r e a) args)
  | Op (Proj i) [x] => component i (run how r e a x)
  | Op Ite [c; x; y] => if toB (run how r e a c) then run how r e a x else run how r e a y
  | Op (NoneOf _) [] => VNone
  | Op SomeOf [x] => VSome (run how r e a x)
  | Op IsNone [x] => VBool (is_none (run how r e a x))
  | Op (ValueOf t) [x] => match run how r e a x with VSome v => v | _ => default t end
  | Op (Apply f ts t) args => r (App f ts (map (run how r e a) args)) t
  | Op Map [f; b] => bag (map (fun x => run how r x nothing f) (elements (run how r nothing nothing b)))
  | Op Filter [f; b] => bag (filter (fun x => toB (run how r x nothing f)) (elements (run how r nothing nothing b)))
  | Op Cartesian [b; c] =>
      bag (flat_map (fun x => map (fun y => VTup [x; y]) (elements (run how r nothing nothing c)))
                    (elements (run how r nothing nothing b)))
  | Op Union [b; c] => bag (elements (run how r nothing nothing b) ++ elements (run how r nothing nothing c))
  | Op Distinct [b] => bag (dedup (elements (run how r nothing nothing b)))
  | Op (Expand f ts t) [g; b] =>
      bag (flat_map (fun x => map (fun y => VTup [x; y]) (elements (r (App f ts (components (run how r x nothing g))) (TBag t))))
                    (elements (run how r nothing nothing b)))
  | Op Without [f; b; c] =>
      bag (filter (fun x => negb (existsb (veqb (run how r x nothing f)) (elements (run how r nothing nothing c))))
                  (elements (run how r nothing nothing b)))
  | Op Fold [i; f; b] =>
      how t (fun m x => run how r x m f) (run how r nothing nothing i) (elements (run how r nothing nothing b))
  | Op FoldByKey [i; f; b] =>
      let pairs := elements (run how r nothing nothing b) in
      bag (map (fun k => VTup [k; how t (fun m x => run how r x m f) (run how r nothing nothing i)
                                    (map (component 1) (filter (fun p => veqb (component 0 p) k) pairs))])
               (dedup (map (component 0) pairs)))
  | Op _ _ => nothing
  end.

(** ** Programs, and what runs of them may do

    A program has parameters: the variables of its expression.  It says how Spark merges the results of partitions, for each fold that it computes with a function of its own:
    that function is a term over [Acc] and [Elem], the results of two parts.  [None] stands for a method of Spark's own, as
    [count], which returns the fold of all elements; so do folds that are not listed.

    What a program returns may stand for something else: [Mean] for the quotient of a sum and a count, [MayRaise] for a pair
    of whether something is returned, and what. *)
Inductive outcome := Value | Mean | MayRaise (returned : outcome).
Record program :=
  { parameters : list (string * ty); expression : term; merges : list (term * option term); stands_for : outcome }.

(** By key, Spark merges the results of parts that are not empty, in a tree of any shape. *)
Inductive in_parts (f merge : val -> val -> val) (z : val) : list val -> val -> Prop :=
  | One_part l : l <> [] -> in_parts f merge z l (fold_left f l z)
  | Two_parts l k a b : in_parts f merge z l a -> in_parts f merge z k b -> in_parts f merge z (l ++ k) (merge a b).

(** [v] is what a fold of the elements [l], in any order, from [z] by [f] may return; Spark's own [fold] starts each
    partition from [z], and starts from [z] again to merge their results. *)
Definition may_return (t : term) (f : val -> val -> val) (merge : option (val -> val -> val)) (z : val) (l : list val) (v : val) :=
  exists l', Permutation l l' /\ match merge, t with
    | None, _ => v = fold_left f l' z
    | Some merge, Op FoldByKey _ => l = [] \/ in_parts f merge z l' v
    | Some merge, _ => exists partitions, List.concat partitions = l' /\
        v = fold_left merge (map (fun part => fold_left f part z) partitions) z
    end.
Definition merging (how : cluster) (r : env) : option term -> option (val -> val -> val) :=
  option_map (fun g m part => run how r part m g).

(** A cluster that computes each fold in one of the ways that the program allows. *)
Definition runs (how : cluster) (r : env) (p : program) := forall t f z l,
  exists merge, (In (t, merge) (merges p) \/ merge = None /\ ~ In t (map fst (merges p))) /\
    may_return t f (merging how r merge) z l (how t f z l).

(** ** Claims *)

(** Values of a type; bags are sorted. *)
Fixpoint has_type (v : val) (t : ty) {struct v} : Prop :=
  let fix all_of (vs : list val) (ts : list ty) : Prop :=
    match vs, ts with [], [] => True | v :: vs, t :: ts => has_type v t /\ all_of vs ts | _, _ => False end in
  let fix each (vs : list val) (t : ty) : Prop :=
    match vs with [] => True | v :: vs => has_type v t /\ each vs t end in
  match v, t with
  | VInt _, TInt | VBool _, TBool | VText _, TText | VNone, TOpt _ => True
  | VSome v, TOpt t => has_type v t
  | VTup vs, TTup ts => all_of vs ts
  | VBag vs, TBag t => each vs t /\ sort vs = vs
  | _, _ => False
  end.
Definition typed (r : env) := forall x t, has_type (r x t) t.
Definition returns (how : cluster) (r : env) (p : program) := run how r nothing nothing (expression p).

(** Whether two values stand for the same result; the mean of nothing is 0. *)
Definition fraction (v : val) : Z * Z :=
  let count := toZ (component 1 v) in if count =? 0 then (0, 1) else (toZ (component 0 v), count).
Fixpoint same_outcome (as_ : outcome) (v w : val) : Prop := match as_ with
  | Value => v = w
  | Mean => fst (fraction v) * snd (fraction w) = fst (fraction w) * snd (fraction v)
  | MayRaise returned => component 0 v = component 0 w /\
      (toB (component 0 v) = true -> same_outcome returned (component 1 v) (component 1 w))
  end.

Definition comparable (p q : program) := parameters p = parameters q /\ stands_for p = stands_for q.

(** On every input, whatever the functions give, every run of [p] and every run of [q] return the same; runs may compute folds in
    different ways. *)
Definition equivalent (p q : program) := comparable p q /\
  forall r how how', typed r -> runs how r p -> runs how' r q -> same_outcome (stands_for p) (returns how r p) (returns how' r q).

(** On some input, no run of [p] returns what a run of [q] returns; the functions have the values that are [known]. *)
Definition inequivalent (known : list (name * ty * val)) (p q : program) := comparable p q /\
  exists r, typed r /\ (forall f ts vs t v, In (App f ts vs, t, v) known -> r (App f ts vs) t = v) /\ forall how how', runs how r p -> runs how' r q ->
    ~ same_outcome (stands_for p) (returns how r p) (returns how' r q).
