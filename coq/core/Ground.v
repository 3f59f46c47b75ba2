(** * Facts about rows as formulas of refutation trees

    A term of normal forms has four aspects: whether it is true, false or NULL, and its number. They are formulas over the aspects of
    terms that nothing simpler is known of. Numbers are integers there: they are multiplied by a common denominator, which is 1 where
    all are whole. Other values are the numbers of smaller values. So a refutation tree about these refutes the facts. *)
From Tallystick.core Require Export Kinds.
From Tallystick Require Semantics Values Typing Refutation.
Module T := Semantics.

Definition notT (a : T.term) : T.term := match a with T.Bool b => T.Bool (negb b) | _ => T.Op T.Not [a] end.
Definition andT (a b : T.term) : T.term := match a, b with
  | T.Bool true, _ => b | T.Bool false, _ => a | _, T.Bool true => a | _, T.Bool false => b | _, _ => T.Op T.And [a; b] end.
Definition orT (a b : T.term) : T.term := match a, b with
  | T.Bool true, _ => a | T.Bool false, _ => b | _, T.Bool true => b | _, T.Bool false => a | _, _ => T.Op T.Or [a; b] end.
Definition iffT (a b : T.term) : T.term := orT (andT a b) (andT (notT a) (notT b)).
Definition iteT (c a b : T.term) : T.term := match c with T.Bool true => a | T.Bool false => b | _ => T.Op T.Ite [c; a; b] end.
(** For truth values: by cases. *)
Definition chooseT (c a b : T.term) : T.term := orT (andT c a) (andT (notT c) b).
Definition lessT (a b : T.term) : T.term := T.Op T.Less [a; b].
Definition equalT (a b : T.term) : T.term := T.Op T.Equal [a; b].
Definition scaleT (z : Z) (a : T.term) : T.term := if Z.eqb z 1 then a else T.Op (T.Scale z) [a].
Definition sumT (l : list T.term) : T.term := match l with [] => T.Int 0 | [a] => a | _ => T.Op T.Add l end.
Definition falseT := T.Bool false.
Definition trueT := T.Bool true.
Definition zeroT := T.Int 0.

Record aspects := { yes_ : T.term; no_ : T.term; null_ : T.term; num_ : T.term; code_ : T.term; kinds_ : kinds; self : term }.
Definition null_term : term := Apply (Lit Null) Tn.
Fixpoint pos (t : term) (l : list term) : nat := match l with [] => 0 | u :: l => if eqt t u then 0 else S (pos t l) end.
Definition is_false (v : value) : bool := match v with Truth b => negb b | _ => false end.

Section Aspects.
  Variables (s : schema) (g : list (list kinds)) (atoms : list term) (integral : bool).
  Definition aspect (name : string) (t : term) (u : T.ty) : T.term := T.Var (T.S (T.N name) (pos t atoms)) u.
  Definition code (t : term) : T.term := aspect "code" t T.TInt.
  Definition unitT : T.term := if integral then T.Int 1 else T.Var T.Post T.TInt.
  Definition literalT (z : Z) : T.term := if integral then T.Int z else T.Op (T.Scale z) [unitT].
  Definition leaf (t : term) : aspects :=
    let k := kt s g t in
    let null := if may_be_null k then match sort_of k with Any => equalT (code t) (code null_term) | _ => aspect "null" t T.TBool end else falseT in
    let is yes no num := {| yes_ := yes; no_ := no; null_ := null; num_ := num; code_ := code t; kinds_ := k; self := t |} in
    match sort_of k with
    | Truths => is (andT (notT null) (aspect "true" t T.TBool)) (andT (notT null) (notT (aspect "true" t T.TBool))) zeroT
    | Any => is (aspect "true" t T.TBool) (aspect "false" t T.TBool) zeroT
    | _ => is falseT falseT (aspect "number" t T.TInt) end.
  Definition numeric (x : aspects) : bool := numeric_sort (sort_of (kinds_ x)).
  Definition truths (x : aspects) : bool := match sort_of (kinds_ x) with Truths => true | _ => false end.
  Definition is_null_term (t : term) : bool := match t with Apply (Lit Null) Tn => true | _ => false end.
  Definition same_as (x y : aspects) : T.term :=
    if is_null_term (self x) then null_ y else if is_null_term (self y) then null_ x
    else if numeric x && numeric y then andT (iffT (null_ x) (null_ y)) (orT (null_ x) (equalT (num_ x) (num_ y)))
    else if truths x && truths y then if may_be_null (kinds_ x) || may_be_null (kinds_ y) then andT (iffT (yes_ x) (yes_ y)) (iffT (no_ x) (no_ y)) else iffT (yes_ x) (yes_ y)
    else equalT (code_ x) (code_ y).
  Definition less_than (x y : aspects) : T.term := if numeric x && numeric y then lessT (num_ x) (num_ y) else lessT (code_ x) (code_ y).
  (** The number of a value: 0 of NULL. *)
  Definition number_of (x : aspects) : T.term := if numeric x then iteT (null_ x) zeroT (num_ x) else zeroT.
  Definition has_number (x : aspects) : bool := match sort_of (kinds_ x) with Any => false | _ => true end.
  Definition factor (x : aspects) : option Z := match self x with
    | Apply (Lit (Number q)) Tn => if whole_value (Number q) then Some (Qfloor (this q)) else None | _ => None end.
  Definition truth_of (t : term) (y : T.term) : aspects := {| yes_ := y; no_ := notT y; null_ := falseT; num_ := zeroT; code_ := code t; kinds_ := kt s g t; self := t |}.
  Definition number_is (t : term) (null num : T.term) : aspects := {| yes_ := falseT; no_ := falseT; null_ := null; num_ := num; code_ := code t; kinds_ := kt s g t; self := t |}.
  Definition three (t : term) (yes no null : T.term) : aspects := {| yes_ := yes; no_ := no; null_ := null; num_ := zeroT; code_ := code t; kinds_ := kt s g t; self := t |}.
  Definition chosen (t : term) (c a b : aspects) : aspects :=
    {| yes_ := chooseT (yes_ c) (yes_ a) (yes_ b); no_ := chooseT (yes_ c) (no_ a) (no_ b); null_ := chooseT (yes_ c) (null_ a) (null_ b);
       num_ := iteT (yes_ c) (num_ a) (num_ b); code_ := iteT (yes_ c) (code_ a) (code_ b); kinds_ := kt s g t; self := t |}.
  (** A sum or a product with NULL is NULL. *)
  Definition calculated (t : term) (a b : aspects) : aspects := if is_null_term (self a) || is_null_term (self b) then number_is t trueT zeroT else leaf t.
  Definition operation (t : term) (o : op) (l : list aspects) : aspects := match o, l with
    | Lit (Truth b), _ => truth_of t (T.Bool b)
    | Lit (Number q), _ => if whole_value (Number q) then number_is t falseT (literalT (Qfloor (this q))) else leaf t
    | Lit Null, _ => three t falseT falseT trueT
    | And, _ => truth_of t (fold_right andT trueT (map yes_ l))
    | Or, _ => truth_of t (fold_right orT falseT (map yes_ l))
    | Not, [a] => truth_of t (notT (yes_ a))
    | IsSame, [a; b] => truth_of t (same_as a b)
    | Known, [a] => truth_of t (notT (null_ a))
    | (Ite | Scalar SWhen), [c; a; b] => chosen t c a b
    | Add, _ => if forallb has_number l then number_is t falseT (sumT (map number_of l)) else leaf t
    | Mul, [a; b] => match factor a, factor b with
        | Some z, _ => if has_number b then number_is t falseT (scaleT z (number_of b)) else leaf t
        | _, Some z => if has_number a then number_is t falseT (scaleT z (number_of a)) else leaf t
        | _, _ => leaf t end
    | Count_if, _ => number_is t falseT (sumT (map (fun a => iteT (yes_ a) unitT zeroT) l))
    | Scalar SPlus, [a; b] => if numeric a && numeric b then number_is t (orT (null_ a) (null_ b)) (T.Op T.Add [num_ a; num_ b]) else calculated t a b
    | Scalar STimes, [a; b] => match factor a, factor b with
        | Some z, _ => if numeric b then number_is t (null_ b) (scaleT z (num_ b)) else calculated t a b
        | _, Some z => if numeric a then number_is t (null_ a) (scaleT z (num_ a)) else calculated t a b
        | _, _ => calculated t a b end
    | Scalar (SCompare Same), [a; b] => truth_of t (same_as a b)
    | Scalar (SCompare Equal), [a; b] => let n := orT (null_ a) (null_ b) in let c := same_as a b in
        three t (andT (notT n) c) (andT (notT n) (notT c)) n
    | Scalar (SCompare Less), [a; b] => let n := orT (null_ a) (null_ b) in let c := less_than a b in
        three t (andT (notT n) c) (andT (notT n) (notT c)) n
    | Scalar SBoth, [a; b] => let y := andT (yes_ a) (yes_ b) in let n := orT (no_ a) (no_ b) in three t y n (andT (notT y) (notT n))
    | Scalar SEither, [a; b] => let y := orT (yes_ a) (yes_ b) in let n := andT (no_ a) (no_ b) in three t y n (andT (notT y) (notT n))
    | Scalar SNegated, [a] => three t (no_ a) (yes_ a) (andT (notT (yes_ a)) (notT (no_ a)))
    | Scalar SIsNull, [a] => truth_of t (null_ a)
    | _, _ => leaf t end.
  Fixpoint ab (t : term) : aspects := match t with Apply o ts => operation t o (abs ts) | _ => leaf t end
  with abs (ts : terms) : list aspects := match ts with Tn => [] | Tc t ts => ab t :: abs ts end.
  Fixpoint covered (t : term) : bool := existsb (eqt t) atoms && match t with Apply _ ts => covereds ts | _ => true end
  with covereds (ts : terms) : bool := match ts with Tn => true | Tc t ts => covered t && covereds ts end.
  (** Literals that are no numbers, in their order. *)
  Definition literal_of (t : term) : option value := match t with Apply (Lit v) _ => match v with Number _ | Truth _ => None | _ => Some v end | _ => None end.
  Definition in_order (t u : term) : list T.term := match literal_of t, literal_of u with
    | Some v, Some w => if less v w then [lessT (code t) (code u)] else [] | _, _ => [] end.
  (** A fraction, times its denominator. *)
  Definition fraction (t : term) : list T.term := match t with
    | Apply (Lit (Number q)) Tn => if whole_value (Number q) then []
        else [equalT (T.Op (T.Scale (Zpos (Qden (this q)))) [aspect "number" t T.TInt]) (T.Op (T.Scale (Qnum (this q))) [unitT])]
    | _ => [] end.
  Definition background : list T.term :=
    (if integral then [] else T.Op T.LessEq [T.Int 1; unitT] :: flat_map fraction atoms) ++ flat_map (fun t => flat_map (in_order t) atoms) atoms.
End Aspects.

(** The terms of which aspects are variables. *)
Fixpoint subs (t : term) : list term := t :: match t with Apply _ ts => subss ts | _ => [] end
with subss (ts : terms) : list term := match ts with Tn => [] | Tc t ts => subs t ++ subss ts end.
Definition distinct_terms (l : list term) : list term := fold_left (fun k t => if existsb (eqt t) k then k else k ++ [t]) l [].
Definition atoms_of (facts : list term) : list term := distinct_terms (null_term :: flat_map subs facts).
Definition ground_formula (s : schema) (rows : list source) (facts : list term) (integral : bool) : T.term :=
  let g := row_kinds s [] rows in let atoms := atoms_of facts in
  notT (fold_right andT trueT (map (fun f => yes_ (ab s g atoms integral f)) facts ++ background atoms integral)).
(** Whether facts about rows cannot all hold, by a tree that has no rows. *)
Definition no_fractions (s : schema) (g : list (list kinds)) (t : term) : bool := match sort_of (kt s g t) with Numbers => false | _ => true end.
Definition grounded (fuel : nat) (s : schema) (rows : list source) (facts : list term) (integral : bool) (t : Refutation.tree) : bool :=
  let g := row_kinds s [] rows in let atoms := atoms_of facts in
  forallb (covered atoms) facts && existsb (eqt null_term) atoms && (negb integral || forallb (no_fractions s g) atoms) &&
  Refutation.refutes fuel (ground_formula s rows facts integral) t.

(** ** Soundness *)
Lemma toB_bool b : T.toB (T.VBool b) = b. Proof. now destruct b. Qed.
Lemma equalT_int r a b x y : Values.meaning r a = T.VInt x -> Values.meaning r b = T.VInt y -> T.toB (Values.meaning r (equalT a b)) = Z.eqb x y.
Proof. unfold Values.meaning, equalT. intros A B. cbn [T.run]. rewrite A, B, toB_bool. unfold T.veqb. cbn. rewrite Z.eqb_compare. now destruct (Z.compare x y). Qed.
Lemma lessT_int r a b x y : Values.meaning r a = T.VInt x -> Values.meaning r b = T.VInt y -> T.toB (Values.meaning r (lessT a b)) = Z.ltb x y.
Proof. unfold Values.meaning, lessT. intros A B. cbn [T.run]. rewrite A, B, toB_bool. cbn. rewrite Z.ltb_antisym. reflexivity. Qed.
Lemma filter_le {A} (f g : A -> bool) l : (forall x, f x = true -> g x = true) -> (List.length (filter f l) <= List.length (filter g l))%nat.
Proof. intros H. induction l as [|x l IH]; cbn; auto. destruct (f x) eqn:F; [rewrite (H x F); cbn; lia|]. destruct (g x); cbn; lia. Qed.
Lemma filter_lt {A} (f g : A -> bool) l x : (forall x, f x = true -> g x = true) -> In x l -> f x = false -> g x = true -> (List.length (filter f l) < List.length (filter g l))%nat.
Proof.
  intros H I F G. induction l as [|y l IH]; [destruct I|]. cbn [filter]. destruct I as [->|I].
  - rewrite F, G. cbn. pose proof (filter_le f g l H). lia.
  - specialize (IH I). destruct (f y) eqn:FY; [rewrite (H y FY); cbn; lia|]. destruct (g y); cbn; lia.
Qed.
Lemma whole_injective_z a b : whole a = whole b -> a = b.
Proof.
  intros E. apply (f_equal this) in E. assert (Y : Qeq (inject_Z a) (inject_Z b)).
  { rewrite <- (Qred_correct (inject_Z a)), <- (Qred_correct (inject_Z b)). change (Qeq (this (whole a)) (this (whole b))). now rewrite E. }
  unfold Qeq in Y. cbn in Y. lia.
Qed.
Lemma whole_less a b : lt_c (whole a) (whole b) = Z.ltb a b.
Proof.
  apply eq_true_iff_eq. rewrite lt_c_ok, Z.ltb_lt. unfold Qclt. change (Qlt (Qred (inject_Z a)) (Qred (inject_Z b)) <-> (a < b)%Z). rewrite !Qred_correct. unfold Qlt. cbn. lia.
Qed.
Lemma whole_floor z : Qfloor (this (whole z)) = z.
Proof. change (Qfloor (Qred (inject_Z z)) = z). assert (E : Qeq (Qred (inject_Z z)) (inject_Z z)) by apply Qred_correct. now rewrite E, Qfloor_Z. Qed.
Lemma scaled_less (D : Z) x y : (0 < D)%Z -> lt_c x y = lt_c (x * whole D)%Qc (y * whole D)%Qc.
Proof.
  intros P. assert (Q : Qclt (whole 0) (whole D)) by (rewrite <- lt_c_ok, whole_less; now apply Z.ltb_lt).
  apply eq_true_iff_eq. rewrite !lt_c_ok. split; intros H; [now apply Qcmult_lt_compat_r|].
  destruct (Qclt_le_dec x y) as [L|L]; auto. exfalso. apply (Qclt_not_le _ _ H). apply Qcmult_le_compat_r; auto. now apply Qclt_le_weak.
Qed.
Lemma scaled_equal (D : Z) x y : (0 < D)%Z -> (x * whole D)%Qc = (y * whole D)%Qc -> x = y.
Proof.
  intros P E. assert (less (Number x) (Number y) = false /\ less (Number y) (Number x) = false) as [A B].
  { change (lt_c x y = false /\ lt_c y x = false). rewrite (scaled_less D x y P), (scaled_less D y x P), E. split; apply (less_not (Number _)). }
  pose proof (less_total _ _ A B). congruence.
Qed.

Lemma times_denominator q : (q * whole (Zpos (Qden (this q))))%Qc = whole (Qnum (this q)).
Proof.
  apply Qc_is_canon. change (Qeq (Qred (Qmult (this q) (Qred (inject_Z (Zpos (Qden (this q))))))) (Qred (inject_Z (Qnum (this q))))). rewrite !Qred_correct. destruct (this q) as [n d]. unfold Qeq, inject_Z. cbn. lia.
Qed.

Section Sound.
  Variables (s : schema) (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (e : env).
  Hypothesis C : conforms s w.
  Variables (g : list (list kinds)) (atoms : list term) (integral : bool) (D : Z).
  Hypothesis G : env_fits g e.
  Hypothesis NULLS : existsb (eqt null_term) atoms = true.
  Notation mt := (mt w blocks named e).
  Notation mts := (mts w blocks named e).
  Hypothesis POSITIVE : (0 < D)%Z.
  Hypothesis UNIT : integral = true -> D = 1%Z.
  Hypothesis SCALED : forall t, In t atoms -> numeric_sort (sort_of (kt s g t)) = true -> exists z, (num (mt t) * whole D)%Qc = whole z.
  Definition code_of (v : value) : Z := Z.of_nat (List.length (filter (fun u => less u v) (map mt atoms))).
  Definition scaled (v : value) : Z := Qfloor (this (num v * whole D)%Qc).
  Definition assigned : T.env := fun x u => match x, u with
    | T.S (T.N a) k, T.TInt => let v := mt (nth k atoms yes) in T.VInt (if String.eqb a "code" then code_of v else scaled v)
    | T.S (T.N a) k, T.TBool => let v := mt (nth k atoms yes) in T.VBool (if String.eqb a "null" then is_null v else if String.eqb a "true" then is_true v else is_false v)
    | T.Post, T.TInt => T.VInt D
    | _, _ => T.default u end.
  Lemma assigned_typed : T.typed assigned.
  Proof. intros x u. unfold assigned. destruct x as [|[] | | |]; try apply Typing.default_typed; destruct u; try apply Typing.default_typed; exact I. Qed.
  Notation meaning := (Values.meaning assigned).
  Definition tb (f : T.term) : bool := T.toB (meaning f).
  Definition ti (f : T.term) : Z := T.toZ (meaning f).
  Lemma tb_not a : tb (notT a) = negb (tb a).
  Proof. unfold tb. assert (X : T.toB (meaning (T.Op T.Not [a])) = negb (T.toB (meaning a))) by (unfold Values.meaning; cbn [T.run]; apply toB_bool). destruct a as [|b| | | | |]; try exact X. change (T.toB (T.VBool (negb b)) = negb (T.toB (T.VBool b))). now rewrite !toB_bool. Qed.
  Lemma tb_and a b : tb (andT a b) = tb a && tb b.
  Proof.
    assert (X : tb (T.Op T.And [a; b]) = tb a && tb b) by (unfold tb, Values.meaning; cbn [T.run map forallb]; rewrite toB_bool; now rewrite andb_true_r).
    assert (Y : forall c : bool, tb (T.Bool c) = c) by (intros; apply toB_bool).
    destruct a as [|[]| | | | |], b as [|[]| | | | |]; try exact X; cbn [andT]; rewrite ?Y, ?andb_true_r, ?andb_false_r; reflexivity.
  Qed.
  Lemma tb_or a b : tb (orT a b) = tb a || tb b.
  Proof.
    assert (X : tb (T.Op T.Or [a; b]) = tb a || tb b) by (unfold tb, Values.meaning; cbn [T.run map existsb]; rewrite toB_bool; now rewrite orb_false_r).
    assert (Y : forall c : bool, tb (T.Bool c) = c) by (intros; apply toB_bool).
    destruct a as [|[]| | | | |], b as [|[]| | | | |]; try exact X; cbn [orT]; rewrite ?Y, ?orb_true_r, ?orb_false_r; reflexivity.
  Qed.
  Lemma tb_bool b : tb (T.Bool b) = b. Proof. apply toB_bool. Qed.
  Lemma tb_iff a b : tb (iffT a b) = Bool.eqb (tb a) (tb b).
  Proof. unfold iffT. rewrite tb_or, !tb_and, !tb_not. now destruct (tb a), (tb b). Qed.
  Lemma tb_choose c a b : tb (chooseT c a b) = if tb c then tb a else tb b.
  Proof. unfold chooseT. rewrite tb_or, !tb_and, tb_not. destruct (tb c), (tb a), (tb b); reflexivity. Qed.
  Lemma meaning_ite c a b : meaning (iteT c a b) = if tb c then meaning a else meaning b.
  Proof. unfold iteT, tb. destruct c as [|[]| | | | |]; reflexivity. Qed.
  Lemma tb_forall l : tb (fold_right andT trueT l) = forallb tb l.
  Proof. induction l as [|a l IH]; auto. cbn [fold_right forallb]. now rewrite tb_and, IH. Qed.
  Lemma tb_exists l : tb (fold_right orT falseT l) = existsb tb l.
  Proof. induction l as [|a l IH]; auto. cbn [fold_right existsb]. now rewrite tb_or, IH. Qed.
  Definition is_int (f : T.term) : Prop := meaning f = T.VInt (ti f).
  Lemma is_int_at f z : meaning f = T.VInt z -> is_int f /\ ti f = z.
  Proof. unfold is_int, ti. intros ->. auto. Qed.
  Lemma ite_int c a b : is_int a -> is_int b -> is_int (iteT c a b) /\ ti (iteT c a b) = if tb c then ti a else ti b.
  Proof. unfold is_int, ti. rewrite meaning_ite. destruct (tb c); auto. Qed.
  Lemma scale_int z a : is_int a -> is_int (scaleT z a) /\ ti (scaleT z a) = (z * ti a)%Z.
  Proof. unfold scaleT. intros A. destruct (Z.eqb_spec z 1) as [->|]; [rewrite Z.mul_1_l; auto|]. apply is_int_at. reflexivity. Qed.
  Lemma sum_int l : Forall is_int l -> is_int (sumT l) /\ ti (sumT l) = fold_right Z.add 0%Z (map T.toZ (map meaning l)).
  Proof.
    intros F. destruct F as [|a l A F]; [now apply is_int_at|]. destruct F as [|b l B F].
    - cbn [sumT map fold_right]. rewrite Z.add_0_r. auto.
    - now apply (is_int_at (sumT (a :: b :: l))).
  Qed.
  Lemma unit_int : is_int (unitT integral) /\ ti (unitT integral) = D.
  Proof. unfold unitT. apply is_int_at. destruct integral eqn:I; [now rewrite UNIT|reflexivity]. Qed.
  Lemma literal_int z : is_int (literalT integral z) /\ ti (literalT integral z) = (z * D)%Z.
  Proof. unfold literalT. destruct integral eqn:I; [rewrite UNIT, Z.mul_1_r by auto; now apply is_int_at|]. apply is_int_at. reflexivity. Qed.

  Definition known_atom (t : term) : Prop := existsb (eqt t) atoms = true.
  Lemma pos_ok t : forall l, existsb (eqt t) l = true -> In t l /\ nth (pos t l) l yes = t.
  Proof. induction l as [|u l IH]; cbn [existsb pos nth In]; [discriminate|]. destruct (eqt t u) eqn:E; [apply (proj1 equal_ok) in E; subst; auto|]. cbn. intros H. destruct (IH H). auto. Qed.
  Lemma at_pos t : known_atom t -> nth (pos t atoms) atoms yes = t. Proof. intros K. now apply pos_ok. Qed.
  Lemma less_code u v : In u (map mt atoms) -> less u v = true -> (code_of u < code_of v)%Z.
  Proof. intros I L. unfold code_of. apply inj_lt. apply (filter_lt _ _ _ u); auto; [|apply less_not]. intros x X. exact (less_trans _ _ _ X L). Qed.
  Lemma in_values t : known_atom t -> In (mt t) (map mt atoms). Proof. intros K. apply in_map. now apply pos_ok. Qed.
  Lemma code_less t u : known_atom t -> known_atom u -> Z.ltb (code_of (mt t)) (code_of (mt u)) = less (mt t) (mt u).
  Proof.
    intros T U. destruct (less (mt t) (mt u)) eqn:L; [apply Z.ltb_lt, less_code; auto; now apply in_values|]. apply Z.ltb_ge.
    destruct (less (mt u) (mt t)) eqn:L'; [apply Z.lt_le_incl, less_code; auto; now apply in_values|]. now rewrite (less_total _ _ L L').
  Qed.
  Lemma code_equal t u : known_atom t -> known_atom u -> Z.eqb (code_of (mt t)) (code_of (mt u)) = same (mt t) (mt u).
  Proof.
    intros T U. unfold same. destruct (value_eq_dec (mt t) (mt u)) as [->|N]; [apply Z.eqb_refl|]. apply Z.eqb_neq. intros E.
    apply N. apply less_total; rewrite <- code_less by auto; apply Z.ltb_ge; lia.
  Qed.
  Lemma code_int t : known_atom t -> meaning (code atoms t) = T.VInt (code_of (mt t)).
  Proof. intros K. unfold code, aspect, Values.meaning. cbn [T.run assigned]. now rewrite at_pos. Qed.

  Record good (t : term) (x : aspects) : Prop := {
    g_self : self x = t; g_kinds : kinds_ x = kt s g t; g_known : known_atom t;
    g_yes : tb (yes_ x) = is_true (mt t); g_no : tb (no_ x) = is_false (mt t); g_null : tb (null_ x) = is_null (mt t);
    g_int : is_int (num_ x); g_code : meaning (code_ x) = T.VInt (code_of (mt t));
    g_num : numeric_sort (sort_of (kt s g t)) = true -> is_null (mt t) = false -> (num (mt t) * whole D)%Qc = whole (ti (num_ x)) }.
  Definition fit t := proj1 (kinds_ok s w blocks named C) t g e G.
  Lemma zero_int : is_int zeroT /\ ti zeroT = 0%Z. Proof. now apply is_int_at. Qed.
  Lemma fits_numeric k v : fits k v = true -> numeric_sort (sort_of k) = true -> is_null v = false -> exists q, v = Number q.
  Proof. unfold fits. intros F N E. rewrite E in F. destruct k as [[] m]; try discriminate; destruct v; try discriminate; eauto. Qed.
  Lemma fits_truths k v : fits k v = true -> sort_of k = Truths -> v = Null \/ exists b, v = Truth b.
  Proof. unfold fits. intros F N. destruct v; cbn in F; auto; rewrite N in F; try discriminate; eauto. Qed.
  Lemma fits_not_null k v : fits k v = true -> may_be_null k = false -> is_null v = false.
  Proof. unfold fits. destruct (is_null v); congruence. Qed.
  Lemma leaf_good t : known_atom t -> good t (leaf s g atoms t).
  Proof.
    intros K. pose proof (fit t) as F. pose proof (at_pos t K) as A.
    assert (V : forall a, tb (aspect atoms a t T.TBool) = if String.eqb a "null" then is_null (mt t) else if String.eqb a "true" then is_true (mt t) else is_false (mt t))
      by (intros; unfold tb, aspect, Values.meaning; cbn [T.run assigned]; rewrite A; apply toB_bool).
    assert (I : meaning (aspect atoms "number" t T.TInt) = T.VInt (scaled (mt t))) by (unfold aspect, Values.meaning; cbn [T.run assigned]; rewrite A; reflexivity).
    unfold leaf. set (k := kt s g t) in *.
    match goal with |- context [andT (notT ?n) _] => set (nl := n) end.
    assert (N : tb nl = is_null (mt t)).
    { unfold nl. destruct (may_be_null k) eqn:M; [|rewrite (fits_not_null k _ F M); apply tb_bool].
      destruct (sort_of k); try (apply V). unfold tb. rewrite (equalT_int _ _ _ _ _ (code_int t K) (code_int null_term NULLS)), (code_equal t null_term K NULLS). change (mt null_term) with Null. unfold same. destruct (value_eq_dec (mt t) Null) as [->|X]; auto. now destruct (mt t). }
    assert (NUM : numeric_sort (sort_of k) = true -> is_null (mt t) = false -> (num (mt t) * whole D)%Qc = whole (scaled (mt t))).
    { intros S' _. destruct (SCALED t (proj1 (pos_ok t atoms K)) S') as [z Z]. unfold scaled. rewrite Z. now rewrite whole_floor. }
    destruct (sort_of k) eqn:S'; (split; cbn [self kinds_ yes_ no_ null_ num_ code_]; auto; try (now apply code_int); fold k; rewrite ?S'; cbn [numeric_sort]; try discriminate).
    all: try (apply zero_int); try (apply (is_int_at _ _ I)).
    all: try (rewrite (proj2 (is_int_at _ _ I)); now apply NUM).
    all: rewrite ?tb_and, ?tb_not, ?N, ?V; cbn [String.eqb Ascii.eqb Bool.eqb andb]; auto.
    all: unfold falseT; rewrite ?tb_bool.
    all: try (destruct (is_null (mt t)) eqn:E; [destruct (mt t); try discriminate; reflexivity|]; destruct (fits_numeric k _ F ltac:(now rewrite S') E) as [q ->]; reflexivity).
    all: destruct (fits_truths k _ F S') as [->|[[] ->]]; reflexivity.
  Qed.
  Lemma numeric_of t x : good t x -> numeric x = numeric_sort (sort_of (kt s g t)). Proof. intros H. unfold numeric. now rewrite (g_kinds _ _ H). Qed.
  Lemma null_term_ok t : is_null_term t = true -> t = null_term.
  Proof. unfold is_null_term. repeat match goal with |- context [match ?x with _ => _ end] => is_var x; destruct x; try discriminate end. reflexivity. Qed.
  Lemma same_ok t u x y : good t x -> good u y -> tb (same_as x y) = same (mt t) (mt u).
  Proof.
    intros X Y. unfold same_as. rewrite (g_self _ _ X), (g_self _ _ Y). pose proof (fit t) as FT. pose proof (fit u) as FU.
    assert (NS : forall v, is_null v = same Null v) by (intros []; unfold same; destruct (value_eq_dec Null _); congruence || reflexivity).
    assert (SS : forall v v', same v v' = same v' v) by (intros v v'; unfold same; destruct (value_eq_dec v v'), (value_eq_dec v' v); congruence).
    destruct (is_null_term t) eqn:NT; [apply null_term_ok in NT; subst t; rewrite (g_null _ _ Y), NS; reflexivity|].
    destruct (is_null_term u) eqn:NU; [apply null_term_ok in NU; subst u; rewrite (g_null _ _ X), NS, SS; reflexivity|]. clear NT NU.
    destruct (numeric x && numeric y) eqn:N.
    { apply andb_prop in N as [N1 N2]. rewrite (numeric_of _ _ X) in N1. rewrite (numeric_of _ _ Y) in N2. rewrite tb_and, tb_iff, tb_or, (g_null _ _ X), (g_null _ _ Y).
      unfold tb at 1. rewrite (equalT_int _ _ _ _ _ (g_int _ _ X) (g_int _ _ Y)). unfold same.
      destruct (is_null (mt t)) eqn:E1, (is_null (mt u)) eqn:E2.
      - destruct (mt t); try discriminate. destruct (mt u); try discriminate. now destruct (value_eq_dec Null Null).
      - destruct (value_eq_dec (mt t) (mt u)) as [Q|]; auto. rewrite Q in E1. congruence.
      - destruct (value_eq_dec (mt t) (mt u)) as [Q|]; auto. rewrite Q in E1. congruence.
      - pose proof (g_num _ _ X N1 E1) as A. pose proof (g_num _ _ Y N2 E2) as B. destruct (fits_numeric _ _ FT N1 E1) as [p P]. destruct (fits_numeric _ _ FU N2 E2) as [q Q]. rewrite P, Q in *. cbn [num Bool.eqb andb orb] in *.
        destruct (value_eq_dec (Number p) (Number q)) as [Z|Z].
        + injection Z as ->. apply Z.eqb_eq. apply whole_injective_z. congruence.
        + apply Z.eqb_neq. intros Z'. apply Z. f_equal. apply (scaled_equal D); auto. rewrite A, B. now f_equal. }
    clear N. destruct (truths x && truths y) eqn:N.
    { apply andb_prop in N as [N1 N2]. unfold truths in N1, N2. rewrite (g_kinds _ _ X) in *. rewrite (g_kinds _ _ Y) in *.
      destruct (sort_of (kt s g t)) eqn:S1; try discriminate. destruct (sort_of (kt s g u)) eqn:S2; try discriminate.
      destruct (may_be_null (kt s g t) || may_be_null (kt s g u)) eqn:M.
      - rewrite tb_and, !tb_iff, (g_yes _ _ X), (g_yes _ _ Y), (g_no _ _ X), (g_no _ _ Y). clear M.
        destruct (fits_truths _ _ FT S1) as [->|[[] ->]], (fits_truths _ _ FU S2) as [->|[[] ->]]; unfold same; match goal with |- context [value_eq_dec ?a ?b] => destruct (value_eq_dec a b) end; try congruence; reflexivity.
      - apply orb_false_elim in M as [M1 M2]. pose proof (fits_not_null _ _ FT M1) as E1. pose proof (fits_not_null _ _ FU M2) as E2. rewrite tb_iff, (g_yes _ _ X), (g_yes _ _ Y).
        destruct (fits_truths _ _ FT S1) as [Z1|[[] Z1]], (fits_truths _ _ FU S2) as [Z2|[[] Z2]]; rewrite Z1, Z2 in *; try discriminate; unfold same; match goal with |- context [value_eq_dec ?a ?b] => destruct (value_eq_dec a b) end; try congruence; reflexivity. }
    unfold tb. rewrite (equalT_int _ _ _ _ _ (g_code _ _ X) (g_code _ _ Y)). apply code_equal; [exact (g_known _ _ X)|exact (g_known _ _ Y)].
  Qed.
  Lemma less_ok t u x y : good t x -> good u y -> is_null (mt t) = false -> is_null (mt u) = false -> tb (less_than x y) = less (mt t) (mt u).
  Proof.
    intros X Y E1 E2. unfold less_than. destruct (numeric x && numeric y) eqn:N.
    - apply andb_prop in N as [N1 N2]. rewrite (numeric_of _ _ X) in N1. rewrite (numeric_of _ _ Y) in N2. unfold tb. rewrite (lessT_int _ _ _ _ _ (g_int _ _ X) (g_int _ _ Y)).
      pose proof (g_num _ _ X N1 E1) as A. pose proof (g_num _ _ Y N2 E2) as B. destruct (fits_numeric _ _ (fit t) N1 E1) as [p P]. destruct (fits_numeric _ _ (fit u) N2 E2) as [q Q]. rewrite P, Q in *.
      change (Z.ltb (ti (num_ x)) (ti (num_ y)) = lt_c p q). rewrite (scaled_less D) by auto. cbn [num] in A, B. now rewrite A, B, whole_less.
    - unfold tb. rewrite (lessT_int _ _ _ _ _ (g_code _ _ X) (g_code _ _ Y)).
      apply code_less; [exact (g_known _ _ X)|exact (g_known _ _ Y)].
  Qed.
  Lemma number_of_ok t x : good t x -> has_number x = true -> is_int (number_of x) /\ (num (mt t) * whole D)%Qc = whole (ti (number_of x)).
  Proof.
    intros X H. unfold number_of. rewrite (numeric_of _ _ X). unfold has_number in H. rewrite (g_kinds _ _ X) in H. pose proof (fit t) as F.
    destruct (numeric_sort (sort_of (kt s g t))) eqn:N.
    - destruct (ite_int (null_ x) zeroT (num_ x) (proj1 zero_int) (g_int _ _ X)) as [A B]. split; auto. rewrite B, (g_null _ _ X).
      destruct (is_null (mt t)) eqn:E; [|now apply (g_num _ _ X)]. destruct (mt t); try discriminate. cbn [num]. rewrite (proj2 zero_int), whole_times. f_equal.
    - split; [apply zero_int|]. rewrite (proj2 zero_int). destruct (sort_of (kt s g t)) eqn:S'; try discriminate. destruct (fits_truths _ _ F S') as [->|[b ->]]; cbn [num]; rewrite whole_times; f_equal.
  Qed.
  Lemma factor_ok t x z : good t x -> factor x = Some z -> mt t = number z.
  Proof.
    intros X. unfold factor. rewrite (g_self _ _ X). destruct t as [| |o ts| | |]; try discriminate. destruct o as [v| | | | | | | | | | |]; try discriminate. destruct v; try discriminate. destruct ts; try discriminate.
    destruct (whole_value (Number q)) eqn:W; try discriminate. intros [= <-]. apply whole_inv in W as [y ->]. rewrite whole_floor. reflexivity.
  Qed.
  Lemma truth_good t y b : known_atom t -> mt t = Truth b -> tb y = b -> good t (truth_of s g atoms t y).
  Proof.
    intros K E Y. split; cbn [truth_of self kinds_ yes_ no_ null_ num_ code_]; auto; try (now apply code_int); rewrite ?E, ?tb_not, ?Y; auto; [apply zero_int|].
    intros N _. pose proof (fit t) as F. destruct (fits_numeric _ _ F N) as [q Q]; rewrite E in *; [reflexivity|discriminate].
  Qed.
  Lemma three_good t yes no null : known_atom t -> (mt t = Null \/ exists b, mt t = Truth b) -> tb yes = is_true (mt t) -> tb no = is_false (mt t) -> tb null = is_null (mt t) -> good t (three s g atoms t yes no null).
  Proof.
    intros K V Y N U. split; cbn [three self kinds_ yes_ no_ null_ num_ code_]; auto; try (now apply code_int); [apply zero_int|]. intros S' E. destruct (fits_numeric _ _ (fit t) S' E) as [q Q]. destruct V as [V|[b V]]; congruence.
  Qed.
  Lemma number_good t null n : known_atom t -> is_int n -> tb null = is_null (mt t) -> (is_null (mt t) = false -> exists q, mt t = Number q /\ (q * whole D)%Qc = whole (ti n)) -> good t (number_is s g atoms t null n).
  Proof.
    intros K I N V. split; cbn [number_is self kinds_ yes_ no_ null_ num_ code_]; auto; try (now apply code_int).
    1, 2: unfold falseT; rewrite tb_bool; destruct (mt t); auto; now destruct (V eq_refl) as (q & Q & _).
    intros _ E. destruct (V E) as (q & Q & Z). rewrite Q. exact Z.
  Qed.
  Lemma mts_list ts : mts ts = map mt (terms_list ts).
  Proof. induction ts as [|t ts IH] using terms_list_i; auto. change (mts (Tc t ts)) with (mt t :: mts ts). cbn [terms_list map]. now rewrite IH. Qed.
  Lemma when_numeric a b k l : numeric_sort (sort_of (when_kinds a b k l)) = true ->
    (is_null_term a = true \/ numeric_sort (sort_of k) = true) /\ (is_null_term b = true \/ numeric_sort (sort_of l) = true).
  Proof.
    assert (J : numeric_sort (sort_of (join k l)) = true -> numeric_sort (sort_of k) = true /\ numeric_sort (sort_of l) = true) by (destruct k as [[] ?], l as [[] ?]; cbn; intuition congruence).
    unfold when_kinds. intros H.
    repeat match type of H with context [match ?x with _ => _ end] => is_var x; destruct x end; cbn [sort_of] in H; try (apply J in H as [H1 H2]); auto.
  Qed.
  Lemma chosen_good c a b x y z : forall t, known_atom t -> good c x -> good a y -> good b z -> mt t = (if is_true (mt c) then mt a else mt b) ->
    kt s g t = when_kinds a b (kt s g a) (kt s g b) -> good t (chosen s g t x y z).
  Proof.
    intros t K X Y Z E KT. split; cbn [chosen self kinds_ yes_ no_ null_ num_ code_]; auto; rewrite ?tb_choose, ?(g_yes _ _ X), ?E.
    - rewrite (g_yes _ _ Y), (g_yes _ _ Z). now destruct (is_true (mt c)).
    - rewrite (g_no _ _ Y), (g_no _ _ Z). now destruct (is_true (mt c)).
    - rewrite (g_null _ _ Y), (g_null _ _ Z). now destruct (is_true (mt c)).
    - apply ite_int; [exact (g_int _ _ Y)|exact (g_int _ _ Z)].
    - rewrite meaning_ite, (g_yes _ _ X), (g_code _ _ Y), (g_code _ _ Z). now destruct (is_true (mt c)).
    - rewrite KT. intros N U. apply when_numeric in N as [N1 N2]. rewrite (proj2 (ite_int _ _ _ (g_int _ _ Y) (g_int _ _ Z))), (g_yes _ _ X). destruct (is_true (mt c)).
      + apply (g_num _ _ Y); auto. destruct N1 as [N1|N1]; auto. apply null_term_ok in N1. subst a. discriminate.
      + apply (g_num _ _ Z); auto. destruct N2 as [N2|N2]; auto. apply null_term_ok in N2. subst b. discriminate.
  Qed.
  Lemma scaled_zero : (whole 0 * whole D)%Qc = whole 0. Proof. now rewrite whole_times. Qed.
  Lemma sum_good us l : Forall2 good us l -> forallb has_number l = true ->
    (fold_right Qcplus (whole 0) (map num (map mt us)) * whole D)%Qc = whole (fold_right Z.add 0%Z (map T.toZ (map meaning (map number_of l)))).
  Proof.
    induction 1 as [|u x us l X F IH]; cbn [forallb map fold_right]; intros H; [apply scaled_zero|]. apply andb_prop in H as [H1 H2].
    rewrite Qcmult_plus_distr_l, (IH H2), (proj2 (number_of_ok u x X H1)), whole_plus. reflexivity.
  Qed.
  Lemma count_good us l : Forall2 good us l ->
    (Z.of_nat (count_true (map mt us)) * D)%Z = fold_right Z.add 0%Z (map T.toZ (map meaning (map (fun a => iteT (yes_ a) (unitT integral) zeroT) l))).
  Proof.
    unfold count_true. induction 1 as [|u x us l X F IH]; [reflexivity|]. cbn [map filter fold_right]. rewrite <- IH.
    pose proof (proj2 (ite_int (yes_ x) (unitT integral) zeroT (proj1 unit_int) (proj1 zero_int))) as I. unfold ti in I at 1. rewrite I, (g_yes _ _ X), (proj2 unit_int), (proj2 zero_int).
    destruct (is_true (mt u)); cbn [List.length]; lia.
  Qed.
  Lemma forall_good us l (f : aspects -> T.term) (h : value -> bool) : (forall u x, good u x -> tb (f x) = h (mt u)) -> Forall2 good us l ->
    forallb tb (map f l) = forallb h (map mt us) /\ existsb tb (map f l) = existsb h (map mt us).
  Proof. intros H. induction 1 as [|u x us l X F [IH1 IH2]]; auto. cbn [map forallb existsb]. now rewrite (H u x X), IH1, IH2. Qed.
  Lemma times_good a b z x u v : mt u = number z -> is_int x -> (num (mt v) * whole D)%Qc = whole (ti x) -> mt a = Number (num (mt u) * num (mt v))%Qc \/ mt a = Number (num (mt v) * num (mt u))%Qc ->
    b = scaleT z x -> is_int b /\ exists q, mt a = Number q /\ (q * whole D)%Qc = whole (ti b).
  Proof.
    intros U I V A ->. destruct (scale_int z x I) as [I1 I2]. split; auto. rewrite I2. exists (num (mt u) * num (mt v))%Qc. split; [destruct A as [A|A]; rewrite A; auto; f_equal; apply Qcmult_comm|].
    rewrite U. cbn [num number]. rewrite <- whole_times, <- V. now rewrite Qcmult_assoc.
  Qed.
  Ltac three_values := repeat match goal with |- context [mt ?u] => let v := fresh "v" in set (v := mt u) in *; clearbody v end.
  Lemma calculated_good (f : Qc -> Qc -> Qc) t u v x y : known_atom t -> good u x -> good v y -> mt t = arithmetic f (mt u) (mt v) -> good t (calculated s g atoms t x y).
  Proof.
    intros K X Y E. unfold calculated. destruct (is_null_term (self x) || is_null_term (self y)) eqn:N; [|exact (leaf_good _ K)]. rewrite (g_self _ _ X), (g_self _ _ Y), orb_true_iff in N.
    assert (Z : mt t = Null).
    { rewrite E. destruct N as [N|N]; apply null_term_ok in N; rewrite N; [reflexivity|]. change (mt null_term) with Null. now destruct (mt u). }
    apply number_good; [exact K|exact (proj1 zero_int)|rewrite Z; apply tb_bool|]. now rewrite Z.
  Qed.
  Lemma operation_good o ts l : known_atom (Apply o ts) -> Forall2 good (terms_list ts) l -> good (Apply o ts) (operation s g atoms integral (Apply o ts) o l).
  Proof.
    intros K F. pose proof (leaf_good _ K) as LG. assert (E : mt (Apply o ts) = apply w named o (map mt (terms_list ts))) by (rewrite <- mts_list; reflexivity).
    assert (CH : forall c a b x y z, (o = Ite \/ o = Scalar SWhen) -> ts = Tc c (Tc a (Tc b Tn)) -> good c x -> good a y -> good b z -> good (Apply o ts) (chosen s g (Apply o ts) x y z)).
    { intros c a b x y z O -> X Y Z. apply (chosen_good c a b); auto; destruct O as [-> | ->]; auto; rewrite E; reflexivity. }
    destruct o as [v| | | | | | | | | |sc|n]; try exact LG.
    - assert (EV : mt (Apply (Lit v) ts) = v) by (rewrite E; now destruct (map mt (terms_list ts))). clear E. destruct v as [|q|b|x|x]; try exact LG; cbn [operation].
      + apply three_good; auto; rewrite EV; auto; apply tb_bool.
      + destruct (whole_value (Number q)) eqn:W; [|exact LG]. apply number_good; [exact K|apply literal_int|rewrite EV; apply tb_bool|]. intros _. exists q. split; auto.
        apply whole_inv in W as [z ->]. rewrite (proj2 (literal_int _)), whole_floor, whole_times. reflexivity.
      + apply (truth_good _ _ b); [exact K|exact EV|apply tb_bool].
    - cbn [operation]. apply (truth_good _ _ (forallb is_true (map mt (terms_list ts)))); [exact K|rewrite E; now destruct (map mt (terms_list ts))|]. rewrite tb_forall. apply (forall_good _ _ yes_ is_true); auto. intros u x X. exact (g_yes _ _ X).
    - cbn [operation]. apply (truth_good _ _ (existsb is_true (map mt (terms_list ts)))); [exact K|rewrite E; now destruct (map mt (terms_list ts))|]. rewrite tb_exists. apply (forall_good _ _ yes_ is_true); auto. intros u x X. exact (g_yes _ _ X).
    - destruct F as [|u x us l X F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. apply (truth_good _ _ (negb (is_true (mt u)))); auto. now rewrite tb_not, (g_yes _ _ X).
    - destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. apply (truth_good _ _ (same (mt u) (mt v))); auto. now apply same_ok.
    - destruct F as [|u x us l X F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. apply (truth_good _ _ (negb (is_null (mt u)))); auto. now rewrite tb_not, (g_null _ _ X).
    - destruct ts as [|c [|a [|b [|]]]]; cbn [terms_list] in F; inversion F as [|? x ? l1 X F1]; subst; try exact LG; inversion F1 as [|? y ? l2 Y F2]; subst; try exact LG; inversion F2 as [|? z ? l3 Z F3]; subst; try exact LG; inversion F3; subst; try exact LG.
      exact (CH c a b x y z (or_introl eq_refl) eq_refl X Y Z).
    - cbn [operation]. destruct (forallb has_number l) eqn:H; [|exact LG].
      assert (I : Forall is_int (map number_of l)).
      { clear -F H C G NULLS POSITIVE UNIT SCALED. induction F as [|u x us l X F IH]; cbn [map forallb] in *; constructor; apply andb_prop in H as [H1 H2]; [exact (proj1 (number_of_ok u x X H1))|exact (IH H2)]. }
      destruct (sum_int _ I) as [I1 I2]. apply number_good; [exact K|exact I1|rewrite E; destruct (map mt (terms_list ts)); apply tb_bool|].
      intros _. exists (fold_right Qcplus (whole 0) (map num (map mt (terms_list ts)))). split; [rewrite E; now destruct (map mt (terms_list ts))|]. rewrite (sum_good _ _ F H), I2. reflexivity.
    - destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply] in E.
      assert (P : forall z p q xx yy, factor xx = Some z -> good p xx -> good q yy -> has_number yy = true -> (mt (Apply Mul ts) = Number (num (mt p) * num (mt q))%Qc \/ mt (Apply Mul ts) = Number (num (mt q) * num (mt p))%Qc) -> good (Apply Mul ts) (number_is s g atoms (Apply Mul ts) falseT (scaleT z (number_of yy)))).
      { intros z p q xx yy FA GX GY H A. destruct (number_of_ok q yy GY H) as [I1 I2]. destruct (times_good (Apply Mul ts) _ z (number_of yy) p q (factor_ok p xx z GX FA) I1 I2 A eq_refl) as (B1 & r & B2 & B3).
        apply number_good; [exact K|exact B1|rewrite B2; apply tb_bool|]. eauto. }
      destruct (factor x) as [z|] eqn:F1.
      + destruct (has_number y) eqn:H; [|exact LG]. apply (P z u v x y); auto.
      + destruct (factor y) as [z|] eqn:F2; [|exact LG]. destruct (has_number x) eqn:H; [|exact LG]. apply (P z v u y x); auto.
    - cbn [operation]. assert (EV : mt (Apply Count_if ts) = number (Z.of_nat (count_true (map mt (terms_list ts))))) by (rewrite E; now destruct (map mt (terms_list ts))).
      assert (I : Forall is_int (map (fun a => iteT (yes_ a) (unitT integral) zeroT) l)) by (apply Forall_map, Forall_forall; intros x _; apply ite_int; [apply unit_int|apply zero_int]).
      destruct (sum_int _ I) as [I1 I2]. apply number_good; [exact K|exact I1|rewrite EV; apply tb_bool|].
      intros _. rewrite EV. eexists. split; [reflexivity|]. rewrite whole_times, (count_good _ _ F), I2. reflexivity.
    - destruct sc as [| |rr|nn kk st|cc| | | | |]; try exact LG.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply scalar_value] in E.
        destruct (numeric x && numeric y) eqn:N; [|exact (calculated_good Qcplus _ u v x y K X Y E)]. apply andb_prop in N as [N1 N2]. rewrite (numeric_of _ _ X) in N1. rewrite (numeric_of _ _ Y) in N2.
        pose proof (fit u) as FU. pose proof (fit v) as FV. apply number_good; [exact K|now apply (is_int_at _ (ti (num_ x) + (ti (num_ y) + 0))%Z)| |].
        * rewrite tb_or, (g_null _ _ X), (g_null _ _ Y), E. destruct (is_null (mt u)) eqn:E1; [destruct (mt u); try discriminate; reflexivity|]. destruct (fits_numeric _ _ FU N1 E1) as [p ->].
          destruct (is_null (mt v)) eqn:E2; [destruct (mt v); try discriminate; reflexivity|]. destruct (fits_numeric _ _ FV N2 E2) as [q ->]. reflexivity.
        * rewrite E. intros NN. assert (E1 : is_null (mt u) = false) by (destruct (mt u); auto). assert (E2 : is_null (mt v) = false) by (destruct (mt u), (mt v); auto).
          pose proof (g_num _ _ X N1 E1) as A. pose proof (g_num _ _ Y N2 E2) as B. destruct (fits_numeric _ _ FU N1 E1) as [p P]. destruct (fits_numeric _ _ FV N2 E2) as [q Q]. rewrite P, Q in *. cbn [num arithmetic] in *.
          exists (p + q)%Qc. split; auto. rewrite Qcmult_plus_distr_l, A, B, whole_plus. f_equal. change (ti (num_ x) + ti (num_ y) = ti (num_ x) + (ti (num_ y) + 0))%Z. lia.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply scalar_value] in E.
        assert (P : forall z p q xx yy, factor xx = Some z -> good p xx -> good q yy -> numeric yy = true -> (mt (Apply (Scalar STimes) ts) = arithmetic Qcmult (mt p) (mt q) \/ mt (Apply (Scalar STimes) ts) = arithmetic Qcmult (mt q) (mt p)) -> good (Apply (Scalar STimes) ts) (number_is s g atoms (Apply (Scalar STimes) ts) (null_ yy) (scaleT z (num_ yy)))).
        { intros z p q xx yy FA GX GY H A. rewrite (numeric_of _ _ GY) in H. pose proof (factor_ok p xx z GX FA) as FP. rewrite FP in A. destruct (scale_int z (num_ yy) (g_int _ _ GY)) as [I1 I2]. pose proof (fit q) as FQ.
          apply number_good; [exact K|exact I1| |].
          - rewrite (g_null _ _ GY). destruct (is_null (mt q)) eqn:E2; [destruct (mt q); try discriminate; destruct A as [-> | ->]; reflexivity|]. destruct (fits_numeric _ _ FQ H E2) as [r R]. rewrite R in A. destruct A as [-> | ->]; reflexivity.
          - intros NN. assert (E2 : is_null (mt q) = false) by (destruct (is_null (mt q)) eqn:E2; auto; destruct (mt q); try discriminate; destruct A as [A|A]; rewrite A in NN; discriminate).
            pose proof (g_num _ _ GY H E2) as B. destruct (fits_numeric _ _ FQ H E2) as [r R]. rewrite R in *. cbn [num] in B. exists (whole z * r)%Qc. split.
            + destruct A as [-> | ->]; cbn [arithmetic number]; f_equal. apply Qcmult_comm.
            + rewrite I2, <- whole_times, <- B. now rewrite Qcmult_assoc. }
        destruct (factor x) as [z|] eqn:F1.
        * destruct (numeric y) eqn:H; [|exact (calculated_good Qcmult _ u v x y K X Y E)]. apply (P z u v x y); auto.
        * destruct (factor y) as [z|] eqn:F2; [|exact (calculated_good Qcmult _ u v x y K X Y E)]. destruct (numeric x) eqn:H; [|exact (calculated_good Qcmult _ u v x y K X Y E)]. apply (P z v u y x); auto.
      + destruct F as [|u x us l X F]; [destruct cc; exact LG|]. destruct F as [|v y us l Y F]; [destruct cc; exact LG|]. destruct F; [|destruct cc; exact LG]. cbn [map apply scalar_value] in E.
        assert (V : cc <> Same -> compare cc (mt u) (mt v) = Null \/ exists b, compare cc (mt u) (mt v) = Truth b) by (intros ?; destruct cc; try congruence; cbn [compare]; destruct (is_null (mt u) || is_null (mt v)); eauto).
        destruct cc; cbn [operation].
        * apply three_good; auto; rewrite E; try (apply V; discriminate); rewrite ?tb_and, ?tb_not, ?tb_or, ?(g_null _ _ X), ?(g_null _ _ Y), ?(same_ok u v x y X Y); cbn [compare];
            destruct (is_null (mt u) || is_null (mt v)); cbn [negb andb]; auto; now destruct (same (mt u) (mt v)).
        * destruct (is_null (mt u) || is_null (mt v)) eqn:N.
          { apply three_good; auto; rewrite E; try (apply V; discriminate); rewrite ?tb_and, ?tb_not, ?tb_or, ?(g_null _ _ X), ?(g_null _ _ Y); cbn [compare]; rewrite N; reflexivity. }
          pose proof (orb_false_elim _ _ N) as [N1 N2].
          apply three_good; auto; rewrite E; try (apply V; discriminate); rewrite ?tb_and, ?tb_not, ?tb_or, ?(g_null _ _ X), ?(g_null _ _ Y), ?(less_ok u v x y X Y N1 N2); cbn [compare]; rewrite N; cbn [negb andb]; auto; now destruct (less (mt u) (mt v)).
        * apply (truth_good _ _ (same (mt u) (mt v))); auto. now apply same_ok.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply scalar_value] in E.
        apply three_good; auto; rewrite E; rewrite ?tb_and, ?tb_not, ?tb_or, ?tb_and, ?(g_yes _ _ X), ?(g_yes _ _ Y), ?(g_no _ _ X), ?(g_no _ _ Y); destruct (mt u) as [| |[]| |], (mt v) as [| |[]| |]; cbn; eauto.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F as [|v y us l Y F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply scalar_value] in E.
        apply three_good; auto; rewrite E; rewrite ?tb_and, ?tb_not, ?tb_or, ?tb_and, ?(g_yes _ _ X), ?(g_yes _ _ Y), ?(g_no _ _ X), ?(g_no _ _ Y); destruct (mt u) as [| |[]| |], (mt v) as [| |[]| |]; cbn; eauto.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. cbn [map apply scalar_value] in E.
        apply three_good; auto; rewrite E; rewrite ?tb_and, ?tb_not, ?(g_yes _ _ X), ?(g_no _ _ X); destruct (mt u) as [| |[]| |]; cbn; eauto.
      + destruct F as [|u x us l X F]; [exact LG|]. destruct F; [|exact LG]. cbn [operation]. apply (truth_good _ _ (is_null (mt u))); auto. exact (g_null _ _ X).
      + destruct ts as [|c [|a [|b [|]]]]; cbn [terms_list] in F; inversion F as [|? x ? l1 X F1]; subst; try exact LG; inversion F1 as [|? y ? l2 Y F2]; subst; try exact LG; inversion F2 as [|? z ? l3 Z F3]; subst; try exact LG; inversion F3; subst; try exact LG.
        exact (CH c a b x y z (or_intror eq_refl) eq_refl X Y Z).
  Qed.
  Theorem ab_good : (forall t, covered atoms t = true -> good t (ab s g atoms integral t)) /\ (forall ts, covereds atoms ts = true -> Forall2 good (terms_list ts) (abs s g atoms integral ts)) /\
    (bag -> True) /\ (mono -> True) /\ (source -> True).
  Proof.
    apply all_i; auto.
    - intros i c H. cbn [ab]. apply leaf_good. cbn [covered] in H. now rewrite andb_true_r in H.
    - intros i j H. cbn [ab]. apply leaf_good. cbn [covered] in H. now rewrite andb_true_r in H.
    - intros o ts IH H. cbn [covered] in H. apply andb_prop in H as [H1 H2]. cbn [ab]. apply operation_good; auto.
    - intros b _ H. cbn [ab]. apply leaf_good. cbn [covered] in H. now rewrite andb_true_r in H.
    - intros b _ H. cbn [ab]. apply leaf_good. cbn [covered] in H. now rewrite andb_true_r in H.
    - intros f b _ H. cbn [ab]. apply leaf_good. cbn [covered] in H. now rewrite andb_true_r in H.
    - intros _. constructor.
    - intros t IH ts IHs H. cbn [covereds] in H. apply andb_prop in H as [H1 H2]. cbn [terms_list abs]. constructor; auto.
  Qed.
  Lemma eqt_refl_in t : In t atoms -> (forall u, eqt u u = true) -> known_atom t.
  Proof. intros I R. apply existsb_exists. eauto. Qed.
  Lemma eq_refl_all : (forall t, eqt t t = true) /\ (forall t, eqts t t = true) /\ (forall t, Reorder.eqb t t = true) /\ (forall t, Reorder.eqm t t = true) /\ (forall t, eqs t t = true).
  Proof.
    apply all_i; intros; cbn [eqt eqts Reorder.eqb Reorder.eqm eqs]; rewrite ?Nat.eqb_refl, ?String.eqb_refl; cbn [andb]; rewrite ?H, ?H0; cbn [andb]; rewrite ?andb_true_r; auto;
      unfold is; match goal with |- context [if ?d then _ else _] => destruct d end; congruence.
  Qed.
  Lemma background_ok f : In f (background atoms integral) -> tb f = true.
  Proof.
    unfold background. intros I. apply in_app_or in I as [I|I].
    - destruct integral eqn:Q; [destruct I|destruct I as [<-|I]].
      { unfold tb, Values.meaning. cbn [T.run]. rewrite toB_bool. cbn. unfold unitT. cbn. apply Z.leb_le. lia. }
      apply in_flat_map in I as (t & T & I). unfold fraction in I. destruct t as [| |[[|q| | |]| | | | | | | | | | |] [|]| | |]; try destruct I. destruct (whole_value (Number q)) eqn:W; [destruct I|destruct I as [<-|[]]].
      set (t := Apply (Lit (Number q)) Tn) in *. destruct (SCALED t T) as [z Z]; [cbn [t kt op_kinds literal_kinds kts]; now rewrite W|]. change (mt t) with (Number q) in Z. cbn [num] in Z.
      pose proof (eqt_refl_in t T (proj1 eq_refl_all)) as KT.
      assert (M : meaning (aspect atoms "number" t T.TInt) = T.VInt z) by (unfold aspect, Values.meaning; cbn [T.run assigned]; rewrite (at_pos t KT); change (mt t) with (Number q); cbn [String.eqb Ascii.eqb Bool.eqb]; unfold scaled; cbn [num]; now rewrite Z, whole_floor).
      unfold tb. rewrite (equalT_int _ _ _ (Zpos (Qden (this q)) * z) (Qnum (this q) * D)).
      + apply Z.eqb_eq, whole_injective_z. rewrite <- !whole_times, <- Z, <- (times_denominator q). ring.
      + unfold Values.meaning in M |- *. cbn [T.run]. now rewrite M.
      + reflexivity.
    - apply in_flat_map in I as (t & T & I). apply in_flat_map in I as (u & U & I). unfold in_order in I.
      assert (L : forall t v, literal_of t = Some v -> mt t = v).
      { clear. intros t v. unfold literal_of. destruct t as [| |o ts| | |]; try discriminate. destruct o as [x| | | | | | | | | | |]; try discriminate. intros H.
        assert (E : mt (Apply (Lit x) ts) = x) by (change (apply w named (Lit x) (mts ts) = x); now destruct (mts ts)). destruct x; try discriminate; now injection H as <-. }
      destruct (literal_of t) as [v|] eqn:LT; [|destruct I]. destruct (literal_of u) as [v'|] eqn:LU; [|destruct I]. destruct (less v v') eqn:LE; [|destruct I]. destruct I as [<-|[]].
      pose proof (eqt_refl_in t T (proj1 eq_refl_all)) as KT. pose proof (eqt_refl_in u U (proj1 eq_refl_all)) as KU.
      unfold tb. rewrite (lessT_int _ _ _ _ _ (code_int t KT) (code_int u KU)), code_less, (L _ _ LT), (L _ _ LU); auto.
  Qed.
End Sound.

Lemma common_denominator (l : list Qc) : exists D, (0 < D)%Z /\ forall q, In q l -> exists z, (q * whole D)%Qc = whole z.
Proof.
  induction l as [|q l (D & P & H)]; [exists 1%Z; split; [lia|intros q []]|]. exists (Zpos (Qden (this q)) * D)%Z. split; [lia|].
  pose proof (times_denominator q) as E.
  intros x [<-|I].
  - exists (Qnum (this q) * D)%Z. rewrite <- whole_times, Qcmult_assoc, E, whole_times. reflexivity.
  - destruct (H x I) as [z Z]. exists (z * Zpos (Qden (this q)))%Z. rewrite <- whole_times, (Qcmult_comm (whole (Zpos _))), Qcmult_assoc, Z, whole_times. reflexivity.
Qed.
Theorem grounded_ok fuel s w blocks named base rows facts integral t : conforms s w -> grounded fuel s rows facts integral t = true -> refuted w blocks named base rows facts.
Proof.
  intros C. unfold grounded. set (g := row_kinds s [] rows). set (atoms := atoms_of facts). rewrite !andb_true_iff. intros [[[CO NU] IN] R] e E F.
  assert (G : env_fits g e) by (apply (row_kinds_ok s w blocks named C rows [] base e); auto; intros i; destruct i; apply row_fits_nil).
  assert (X : exists D, (0 < D)%Z /\ (integral = true -> D = 1%Z) /\ forall u, In u atoms -> numeric_sort (sort_of (kt s g u)) = true -> exists z, (num (mt w blocks named e u) * whole D)%Qc = whole z).
  { destruct integral; cbn [negb orb] in IN.
    - exists 1%Z. split; [lia|]. split; auto. intros u U N. rewrite forallb_forall in IN. specialize (IN u U). unfold no_fractions in IN.
      destruct (whole_num (kt s g u) (mt w blocks named e u)) as [z Z]; [unfold is_whole; destruct (sort_of (kt s g u)); auto; discriminate|exact (proj1 (kinds_ok s w blocks named C) u g e G)|].
      exists z. now rewrite Z, whole_times, Z.mul_1_r.
    - destruct (common_denominator (map (fun u => num (mt w blocks named e u)) atoms)) as (D & P & H). exists D. split; auto. split; [discriminate|]. intros u U _. apply H. exact (in_map (fun u => num (mt w blocks named e u)) _ _ U). }
  destruct X as (D & P & U & S'). apply (Refutation.refutes_ok fuel) in R as [_ R]. specialize (R _ (assigned_typed w blocks named e atoms D)).
  pose proof (proj1 (ab_good s w blocks named e C g atoms integral D G NU P U S')) as AB.
  unfold ground_formula in R. fold g atoms in R. change (tb w blocks named e atoms D (notT (fold_right andT trueT (map (fun f => yes_ (ab s g atoms integral f)) facts ++ background atoms integral))) = true) in R.
  rewrite tb_not, tb_forall in R. apply negb_true_iff in R.
  assert (Q : forallb (tb w blocks named e atoms D) (map (fun f => yes_ (ab s g atoms integral f)) facts ++ background atoms integral) = true); [|congruence].
  apply forallb_forall. intros f V. apply in_app_or in V as [V|V].
  - apply in_map_iff in V as (u & <- & V). rewrite forallb_forall in CO. pose proof (g_yes _ _ _ _ _ _ _ _ _ _ (AB u (CO u V))) as Y. rewrite Y. exact (proj1 (Forall_forall _ _) F u V).
  - exact (background_ok s w blocks named e g atoms integral D P U S' f V).
Qed.
