(** * SUM: sums whose monomials contribute the same, and flattening

    One form of premise serves pairs, groups and monomials that weigh nothing (certificates/rules/sum.py): members over the same
    slots whose weights, where their conditions hold, have the same total.  [flatten] is certificates/rules/flattening.py. *)
From Tallystick.core Require Export Reorder.

Fixpoint list_terms (l : list term) : terms := match l with [] => Tn | t :: l => Tc t (list_terms l) end.
Fixpoint monos (b : bag) : list mono := match b with Bn => [] | Bc m b => m :: monos b end.
Fixpoint to_bag (l : list mono) : bag := match l with [] => Bn | m :: l => Bc m (to_bag l) end.
Definition first (h : terms) : term := match h with Tc t _ => t | Tn => Apply (Lit Null) Tn end.
Definition zero : term := Apply (Lit (number 0)) Tn.
Definition ite := ap3 Ite.

(** Flattening: a number as the sum of monomials with weights.  A telescope needs no fresh names: what stands inside a weight
    just goes on with more slots. *)
Fixpoint guard (c : term) (m : mono) : mono := match m with
  | Take s m => Take s (guard (shift 1 c) m) | Give d h => Give (conj2 c d) h end.
Fixpoint scaled (c a : term) (n : mono) : mono := match n with
  | Take s n => Take s (scaled (shift 1 c) (shift 1 a) n) | Give d h => Give (conj2 c d) (Tc (ap2 Mul a (first h)) Tn) end.
Fixpoint product (m n : mono) : mono := match m with
  | Take s m => Take s (product m (rm S n)) | Give c h => scaled c (first h) n end.
Definition unit_of (t : term) : list mono := [Give yes (Tc t Tn)].
Fixpoint flat (t : term) : list mono := match t with
  | Total b => flat_bag b
  | Apply Add ts => flat_all ts
  | Apply Mul (Tc a (Tc b Tn)) => flat_map (fun m => map (product m) (flat b)) (flat a)
  | Apply Ite (Tc c (Tc a (Tc b Tn))) => map (guard c) (flat a) ++ map (guard (neg c)) (flat b)
  | _ => unit_of t end
with flat_all (ts : terms) : list mono := match ts with Tn => [] | Tc t ts => flat t ++ flat_all ts end
with flat_bag (b : bag) : list mono := match b with Bn => [] | Bc m b => flat_mono m ++ flat_bag b end
with flat_mono (m : mono) : list mono := match m with
  | Take s m => map (Take s) (flat_mono m)
  | Give c (Tc t _) => map (guard c) (flat t)
  | Give c Tn => [] end.

Section Sum.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).
  Open Scope Qc_scope.

  Lemma qsum_cons x l : qsum (x :: l) = x + qsum l. Proof. reflexivity. Qed.
  Lemma qsum_nil : qsum [] = whole 0. Proof. reflexivity. Qed.
  Lemma plus_0_l x : whole 0 + x = x. Proof. exact (Qcplus_0_l x). Qed.
  Lemma plus_0_r x : x + whole 0 = x. Proof. exact (Qcplus_0_r x). Qed.
  Lemma mult_0_l x : whole 0 * x = whole 0. Proof. exact (Qcmult_0_l x). Qed.
  Lemma mult_0_r x : x * whole 0 = whole 0. Proof. exact (Qcmult_0_r x). Qed.
  Lemma qsum_app l k : qsum (l ++ k) = qsum l + qsum k.
  Proof. induction l as [|x l IH]; cbn [app]; [now rewrite qsum_nil, plus_0_l|]. rewrite !qsum_cons, IH. apply Qcplus_assoc. Qed.
  Lemma qsum_zero {A} (l : list A) : qsum (map (fun _ => whole 0) l) = whole 0.
  Proof. induction l as [|x l IH]; auto. cbn [map]. now rewrite qsum_cons, IH, plus_0_l. Qed.
  Lemma qsum_add {A} (f g : A -> Qc) l : qsum (map (fun x => f x + g x) l) = qsum (map f l) + qsum (map g l).
  Proof. induction l as [|x l IH]; cbn [map]; [now rewrite !qsum_nil, plus_0_l|]. rewrite !qsum_cons, IH. ring. Qed.
  Lemma qsum_mul {A} (f : A -> Qc) a l : qsum (map (fun x => a * f x) l) = a * qsum (map f l).
  Proof. induction l as [|x l IH]; cbn [map]; [now rewrite !qsum_nil, mult_0_r|]. rewrite !qsum_cons, IH. ring. Qed.
  Lemma qsum_perm l k : Permutation l k -> qsum l = qsum k.
  Proof. induction 1; rewrite ?qsum_cons; [reflexivity|now f_equal|ring|congruence]. Qed.

  (** What a monomial contributes. *)
  Definition sum_of (e : env) (m : mono) : Qc := qsum (map weight (mm e m)).
  Lemma sum_take e s m : sum_of e (Take s m) = qsum (map (fun r => sum_of (push r e) m) (ms e s)).
  Proof.
    unfold sum_of. change (mm e (Take s m)) with (flat_map (fun r => mm (push r e) m) (ms e s)). induction (ms e s) as [|r l IH]; auto.
    cbn [flat_map map]. rewrite map_app, qsum_app, IH. reflexivity.
  Qed.
  Lemma sum_give e c h : sum_of e (Give c h) = if is_true (mt e c) then num (mt e (first h)) else whole 0.
  Proof.
    unfold sum_of. change (mm e (Give c h)) with (if is_true (mt e c) then [mts e h] else []). destruct (is_true (mt e c)); auto.
    cbn [map]. rewrite qsum_cons, qsum_nil, plus_0_r. destruct h; reflexivity.
  Qed.
  Lemma sum_takes ss m : forall e, sum_of e (takes ss m) = qsum (map (fun a => sum_of a m) (choices e ss)).
  Proof.
    induction ss as [|s ss IH]; intros e; cbn [takes fold_right Normal.choices map]; [now rewrite qsum_cons, qsum_nil, plus_0_r|].
    fold (takes ss m). rewrite sum_take. induction (ms e s) as [|r l IHl]; auto. cbn [map flat_map]. rewrite map_app, qsum_app, <- IHl, <- IH. reflexivity.
  Qed.
  Lemma total_monos e b : mt e (Total b) = Number (qsum (map (sum_of e) (monos b))).
  Proof.
    change (mt e (Total b)) with (Number (qsum (map weight (mb e b)))). f_equal. induction b as [|m b IH]; auto.
    change (mb e (Bc m b)) with (mm e m ++ mb e b). cbn [monos map]. rewrite map_app, qsum_app, IH. reflexivity.
  Qed.

  (** ** Flattening keeps what a number is *)
  Definition sum_all (e : env) (l : list mono) : Qc := qsum (map (sum_of e) l).
  Lemma sum_all_app e l k : sum_all e (l ++ k) = sum_all e l + sum_all e k.
  Proof. unfold sum_all. now rewrite map_app, qsum_app. Qed.
  Lemma shift1 e r t : mt (push r e) (shift 1 t) = mt e t.
  Proof. now apply shift_ok. Qed.
  Lemma sum_guard m : forall e c, sum_of e (guard c m) = if is_true (mt e c) then sum_of e m else whole 0.
  Proof.
    induction m as [s m IH|c' h] using telescope_i; intros e c; cbn [guard].
    - rewrite !sum_take. rewrite (map_ext _ (fun r => if is_true (mt e c) then sum_of (push r e) m else whole 0)) by (intros r; now rewrite IH, shift1).
      destruct (is_true (mt e c)); auto. apply qsum_zero.
    - rewrite !sum_give, conj2_ok. now destruct (is_true (mt e c)).
  Qed.
  Lemma sum_guards e c l : sum_all e (map (guard c) l) = if is_true (mt e c) then sum_all e l else whole 0.
  Proof.
    unfold sum_all. rewrite map_map, (map_ext _ (fun m => if is_true (mt e c) then sum_of e m else whole 0)) by (intros m; apply sum_guard).
    destruct (is_true (mt e c)); auto. apply qsum_zero.
  Qed.
  Lemma sum_scaled n : forall e c a, sum_of e (scaled c a n) = if is_true (mt e c) then num (mt e a) * sum_of e n else whole 0.
  Proof.
    induction n as [s n IH|c' h] using telescope_i; intros e c a; cbn [scaled].
    - rewrite !sum_take. rewrite (map_ext _ (fun r => if is_true (mt e c) then num (mt e a) * sum_of (push r e) n else whole 0)) by (intros r; now rewrite IH, !shift1).
      destruct (is_true (mt e c)); [apply qsum_mul|apply qsum_zero].
    - rewrite !sum_give, conj2_ok. destruct (is_true (mt e c)); auto. cbn [andb]. destruct (is_true (mt e c')); [reflexivity|]. now rewrite mult_0_r.
  Qed.
  Lemma sum_product m : forall e n, sum_of e (product m n) = sum_of e m * sum_of e n.
  Proof.
    induction m as [s m IH|c' h] using telescope_i; intros e n; cbn [product].
    - rewrite !sum_take. rewrite (map_ext _ (fun r => sum_of e n * sum_of (push r e) m)).
      + rewrite qsum_mul. apply Qcmult_comm.
      + intros r. rewrite IH, Qcmult_comm. f_equal. unfold sum_of. now rewrite (rm_ok w blocks named n e (push r e) S).
    - rewrite sum_scaled, sum_give. destruct (is_true (mt e c')); auto. now rewrite mult_0_l.
  Qed.
  Lemma sum_products e l k : sum_all e (flat_map (fun m => map (product m) k) l) = sum_all e l * sum_all e k.
  Proof.
    induction l as [|m l IH]; cbn [flat_map]; [unfold sum_all; cbn [map]; now rewrite qsum_nil, mult_0_l|]. rewrite sum_all_app, IH. change (sum_all e (m :: l)) with (sum_of e m + sum_all e l).
    assert (E : sum_all e (map (product m) k) = sum_of e m * sum_all e k); [|rewrite E; ring].
    unfold sum_all. rewrite map_map, (map_ext _ (fun n => sum_of e m * sum_of e n)) by (intros n; apply sum_product). apply qsum_mul.
  Qed.
  Lemma unit_ok e t : num (mt e t) = sum_all e (unit_of t).
  Proof. unfold sum_all, unit_of. cbn [map]. now rewrite qsum_cons, qsum_nil, plus_0_r, sum_give. Qed.
  Lemma add_ok e ts : num (mt e (Apply Add ts)) = qsum (map num (mts e ts)).
  Proof. reflexivity. Qed.

  Fixpoint terms_list (ts : terms) : list term := match ts with Tn => [] | Tc t ts => t :: terms_list ts end.
  Definition flat_is (t : term) : Prop := forall e, num (mt e t) = sum_all e (flat t).
  Lemma flat_unit t : flat t = unit_of t -> flat_is t.
  Proof. intros H e. rewrite H. apply unit_ok. Qed.
  Theorem flattened :
    (forall t, flat_is t) /\
    (forall ts, Forall flat_is (terms_list ts) /\ forall e, qsum (map num (mts e ts)) = sum_all e (flat_all ts)) /\
    (forall b e, qsum (map weight (mb e b)) = sum_all e (flat_bag b)) /\
    (forall m e, sum_of e m = sum_all e (flat_mono m)) /\ (source -> True).
  Proof.
    apply all_i; auto.
    - intros. now apply flat_unit.
    - intros. now apply flat_unit.
    - intros o ts [F A]. destruct o; try (now apply flat_unit).
      + destruct ts as [|c [|a [|b [|]]]]; try (now apply flat_unit). cbn [terms_list] in F.
        inversion F as [|? ? _ F1]; subst. inversion F1 as [|? ? FA F2]; subst. inversion F2 as [|? ? FB _]; subst. intros e.
        change (flat (Apply Ite (Tc c (Tc a (Tc b Tn))))) with (map (guard c) (flat a) ++ map (guard (neg c)) (flat b)). rewrite sum_all_app, !sum_guards, <- FA, <- FB.
        change (mt e (Apply Ite (Tc c (Tc a (Tc b Tn))))) with (if is_true (mt e c) then mt e a else mt e b).
        change (is_true (mt e (neg c))) with (negb (is_true (mt e c))). destruct (is_true (mt e c)); cbn [negb]; [now rewrite plus_0_r|now rewrite plus_0_l].
      + exact A.
      + destruct ts as [|a [|b [|]]]; try (now apply flat_unit). cbn [terms_list] in F. inversion F as [|? ? FA F1]; subst. inversion F1 as [|? ? FB _]; subst. intros e.
        change (flat (Apply Mul (Tc a (Tc b Tn)))) with (flat_map (fun m => map (product m) (flat b)) (flat a)). rewrite sum_products, <- FA, <- FB. reflexivity.
    - intros. now apply flat_unit.
    - intros. now apply flat_unit.
    - split; [constructor|reflexivity].
    - intros t T ts [F A]. split; [now constructor|]. intros e. cbn [flat_all]. rewrite sum_all_app, <- A, <- T. reflexivity.
    - intros m M b B e. change (mb e (Bc m b)) with (mm e m ++ mb e b). cbn [flat_bag]. rewrite map_app, qsum_app, sum_all_app, <- B, <- M. reflexivity.
    - intros s _ m M e. cbn [flat_mono]. rewrite sum_take. unfold sum_all. rewrite map_map. 
      rewrite (map_ext _ (fun r => sum_all (push r e) (flat_mono m))) by (intros r; apply M). clear M. induction (flat_mono m) as [|n l IH].
      + apply qsum_zero.
      + cbn [map]. rewrite qsum_cons, sum_take, <- IH. rewrite <- qsum_add. reflexivity.
    - intros c _ h [F _] e. rewrite sum_give. destruct h as [|t h]; cbn [flat_mono first].
      + unfold sum_all. cbn [map]. rewrite qsum_nil. now destruct (is_true (mt e c)).
      + inversion F as [|? ? T _]; subst. now rewrite sum_guards, <- T.
  Qed.
  Definition flat_ok := proj1 flattened.

  (** ** The rule

      Members over slots [xs]: a condition and a weight each, on both sides. *)
  Definition member (xs : list source) (p : term * term) : mono := takes xs (Give (fst p) (Tc (snd p) Tn)).
  Definition totals (l : list (term * term)) : term := Apply Add (list_terms (map (fun p => ite (fst p) (snd p) zero) l)).
  Definition totals_agree (rows : list source) (given : term) (xs : list source) (l k : list (term * term)) : premise :=
    (rows ++ xs, implies (shift (List.length xs) given) (ap2 IsSame (totals l) (totals k))).
  Lemma totals_ok e l : mt e (totals l) = Number (qsum (map (fun p => if is_true (mt e (fst p)) then num (mt e (snd p)) else whole 0) l)).
  Proof.
    unfold totals. change (mt e (Apply Add ?ts)) with (Number (qsum (map num (mts e ts)))). f_equal. induction l as [|[c t] l IH]; auto.
    cbn [map list_terms fst snd]. change (mts e (Tc ?a ?b)) with (mt e a :: mts e b). cbn [map]. rewrite !qsum_cons. f_equal; [|exact IH].
    change (mt e (ite c t zero)) with (if is_true (mt e c) then mt e t else number 0). destruct (is_true (mt e c)); reflexivity.
  Qed.
  Lemma members_sum xs l e : sum_all e (map (member xs) l) =
    qsum (map (fun a => qsum (map (fun p => if is_true (mt a (fst p)) then num (mt a (snd p)) else whole 0) l)) (choices e xs)).
  Proof.
    unfold sum_all. rewrite map_map. induction l as [|[c t] l IH]; cbn [map].
    - rewrite qsum_nil. symmetry. apply qsum_zero.
    - rewrite qsum_cons, IH. unfold member at 1. rewrite sum_takes, <- qsum_add. f_equal. apply map_ext. intros a. rewrite qsum_cons, sum_give. reflexivity.
  Qed.
  Theorem group_sound rows given xs l k : valid (totals_agree rows given xs l k) -> forall e, In e (choices base rows) -> is_true (mt e given) = true ->
    sum_all e (map (member xs) l) = sum_all e (map (member xs) k).
  Proof.
    intros V e E G. rewrite !members_sum. f_equal. apply map_ext_in. intros a A. unfold Normal.valid, totals_agree in V. cbn [fst snd] in V.
    specialize (V a). rewrite choices_app, in_flat_map in V. specialize (V (ex_intro _ e (conj E A))). rewrite implies_ok in V.
    rewrite (shift_ok w blocks named _ given e a (choices_outer w blocks named xs e a A)) in V. specialize (V G).
    change (mt a (ap2 IsSame ?x ?y)) with (Truth (same (mt a x) (mt a y))) in V. rewrite !totals_ok in V. unfold same in V. cbn [is_true] in V.
    destruct (value_eq_dec _ _) as [X|]; [now inversion X|discriminate].
  Qed.

  (** The kernel's premises for a pair are such a premise: Weighs, both ways, and WeightsAgree. *)
  Lemma pair_is_group e c t d u :
    (is_true (mt e c) = true -> is_true (mt e d) = true \/ num (mt e t) = whole 0) -> (is_true (mt e d) = true -> is_true (mt e c) = true \/ num (mt e u) = whole 0) ->
    (is_true (mt e c) = true -> is_true (mt e d) = true -> mt e t = mt e u) -> mt e (totals [(c, t)]) = mt e (totals [(d, u)]).
  Proof.
    intros A B C. rewrite !totals_ok. cbn [map fst snd]. rewrite !qsum_cons, !qsum_nil, !plus_0_r. f_equal.
    destruct (is_true (mt e c)), (is_true (mt e d)); auto; [now rewrite C|destruct A; auto; discriminate|destruct B; auto; discriminate].
  Qed.
  (** Where each member stands [S n] times in a group, the totals of one copy are equal too. *)
  Lemma copies_cancel n (x y : Qc) : whole (Z.of_nat (S n)) * x = whole (Z.of_nat (S n)) * y -> x = y.
  Proof.
    intros H. assert (N : whole (Z.of_nat (S n)) <> 0).
    { intros E. apply (f_equal this) in E. assert (X : Qeq (inject_Z (Z.of_nat (S n))) 0).
      - rewrite <- (Qred_correct (inject_Z (Z.of_nat (S n)))). change (Qred (inject_Z (Z.of_nat (S n)))) with (this (whole (Z.of_nat (S n)))). rewrite E. reflexivity.
      - unfold Qeq in X. cbn in X. discriminate X || lia. }
    rewrite <- (Qcmult_1_l x), <- (Qcmult_1_l y), <- (Qcmult_inv_l _ N), <- !Qcmult_assoc. now f_equal.
  Qed.

  (** All groups: the flattened sides are the members of the groups, in some order, with slots in some order. *)
  Record group := { over : list source; lefts : list (term * term); rights : list (term * term) }.
  Definition left_of (g : group) := map (member (over g)) (lefts g).
  Definition right_of (g : group) := map (member (over g)) (rights g).
  Definition covers (l k : list mono) : Prop := exists l', Permutation l l' /\ Forall2 (same_mono w blocks named) l' k.
  Lemma covers_sum l k e : covers l k -> sum_all e l = sum_all e k.
  Proof.
    intros (l' & P & F). unfold sum_all. rewrite (qsum_perm (map (sum_of e) l) (map (sum_of e) l')) by now apply Permutation_map.
    f_equal. clear P. induction F as [|m n l' k E F IH]; cbn [map]; auto. f_equal; auto. apply qsum_perm, Permutation_map, E.
  Qed.
  Theorem sum_sound rows given (s t : term) (gs : list group) :
    covers (flat s) (flat_map left_of gs) -> covers (flat t) (flat_map right_of gs) ->
    Forall (fun g => valid (totals_agree rows given (over g) (lefts g) (rights g))) gs ->
    forall e, In e (choices base rows) -> is_true (mt e given) = true -> num (mt e s) = num (mt e t).
  Proof.
    intros L R V e E G. rewrite !flat_ok, (covers_sum _ _ e L), (covers_sum _ _ e R). clear L R. induction V as [|g gs V _ IH]; auto.
    cbn [flat_map]. rewrite !sum_all_app, IH. f_equal. unfold left_of, right_of. now apply (group_sound rows given).
  Qed.
End Sum.
