(** * BAG: by groups, which may be pairs and single monomials

    The premises are CountsAgree of certificates/rules/bag.py: wherever a member's condition holds, its row occurs equally often
    among the rows of both sides. A pair is a group of one and one, a monomial that is empty one of one and none. *)
From Tallystick.core Require Export Reorder.

Section Bag.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation choices := (choices w blocks named).
  Notation valid := (valid w blocks named base).
  Definition ends := list (term * terms).
  Definition member (xs : list source) (p : term * terms) : mono := takes xs (Give (fst p) (snd p)).
  Fixpoint terms_of (l : list term) : terms := match l with [] => Tn | t :: l => Tc t (terms_of l) end.
  Definition count (h : terms) (l : ends) : term := Apply Count_if (terms_of (map (fun p => conj2 (fst p) (same_terms (snd p) h)) l)).
  Definition counts_agree (rows : list source) (given : term) (xs : list source) (l k : ends) (p : term * terms) : premise :=
    (rows ++ xs, implies (conj2 (shift (List.length xs) given) (fst p)) (ap2 IsSame (count (snd p) l) (count (snd p) k))).
  Definition group_premises rows given xs l k : list premise := map (counts_agree rows given xs l k) (l ++ k).

  Definition end_rows (a : env) (p : term * terms) : list row := if is_true (mt a (fst p)) then [mts a (snd p)] else [].
  Definition times (a : env) (l : ends) (t : row) : nat := List.length (filter (fun p => is_true (mt a (fst p)) && same_row (mts a (snd p)) t) l).
  Lemma times_ok a l t : count_occ row_eq_dec (flat_map (end_rows a) l) t = times a l t.
  Proof.
    unfold times. induction l as [|p l IH]; auto. cbn [flat_map filter]. rewrite count_occ_app, IH. unfold end_rows at 1, same_row. destruct (is_true (mt a (fst p))); cbn; auto.
    destruct (row_eq_dec (mts a (snd p)) t); cbn; auto.
  Qed.
  Lemma count_ok a h l : mt a (count h l) = number (Z.of_nat (times a l (mts a h))).
  Proof.
    unfold count, times. change (mt a (Apply Count_if ?ts)) with (number (Z.of_nat (count_true (mts a ts)))). do 2 f_equal. unfold count_true.
    induction l as [|p l IH]; auto. cbn [map terms_of]. change (mts a (Tc ?x ?y)) with (mt a x :: mts a y). cbn [filter]. rewrite conj2_ok.
    assert (E : is_true (mt a (same_terms (snd p) h)) = same_row (mts a (snd p)) (mts a h)).
    { pose proof (same_terms_ok w blocks named a (snd p) h) as X. unfold same_row. destruct (row_eq_dec _ _) as [R|R]; [now apply X|]. apply not_true_is_false. tauto. }
    rewrite E. destruct (is_true (mt a (fst p)) && same_row (mts a (snd p)) (mts a h)); cbn [List.length]; now rewrite IH.
  Qed.
  Lemma whole_injective n m : number (Z.of_nat n) = number (Z.of_nat m) -> n = m.
  Proof.
    intros E. assert (X : whole (Z.of_nat n) = whole (Z.of_nat m)) by (unfold number in E; congruence). apply (f_equal this) in X.
    assert (Y : Qeq (inject_Z (Z.of_nat n)) (inject_Z (Z.of_nat m))).
    { rewrite <- (Qred_correct (inject_Z (Z.of_nat n))), <- (Qred_correct (inject_Z (Z.of_nat m))). change (Qeq (this (whole (Z.of_nat n))) (this (whole (Z.of_nat m)))). now rewrite X. }
    unfold Qeq in Y. cbn in Y. lia.
  Qed.

  Definition rows_of (e : env) (l : list mono) : list row := flat_map (mm e) l.
  Lemma member_rows e xs l : Permutation (rows_of e (map (member xs) l)) (flat_map (fun a => flat_map (end_rows a) l) (choices e xs)).
  Proof.
    etransitivity; [|apply flat_map_swap]. unfold rows_of. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map.
    apply flat_map_permutation. intros p _. unfold member. rewrite mm_takes. apply Permutation_refl.
  Qed.
  Theorem group_sound rows given xs l k : Forall valid (group_premises rows given xs l k) -> forall e, In e (choices base rows) -> is_true (mt e given) = true ->
    Permutation (rows_of e (map (member xs) l)) (rows_of e (map (member xs) k)).
  Proof.
    intros V e E G. rewrite !member_rows. apply flat_map_permutation. intros a A. apply (Permutation_count_occ row_eq_dec). intros t. rewrite !times_ok.
    unfold group_premises in V. rewrite Forall_map, Forall_forall in V.
    assert (X : forall p, In p (l ++ k) -> is_true (mt a (fst p)) = true -> times a l (mts a (snd p)) = times a k (mts a (snd p))).
    { intros p P C. specialize (V p P). unfold counts_agree, Normal.valid in V. cbn [fst snd] in V. specialize (V a). rewrite choices_app, in_flat_map in V.
      specialize (V (ex_intro _ e (conj E A))). rewrite implies_ok, conj2_ok, (shift_ok w blocks named _ given e a (choices_outer w blocks named xs e a A)), G, C in V. specialize (V eq_refl).
      change (mt a (ap2 IsSame ?x ?y)) with (Truth (same (mt a x) (mt a y))) in V. rewrite !count_ok in V. unfold same in V. cbn [is_true] in V.
      destruct (value_eq_dec _ _) as [Y|]; [now apply whole_injective in Y|discriminate]. }
    destruct (existsb (fun p => is_true (mt a (fst p)) && same_row (mts a (snd p)) t) (l ++ k)) eqn:S.
    - apply existsb_exists in S as (p & P & C). apply andb_prop in C as [C D]. unfold same_row in D. destruct (row_eq_dec _ _) as [<-|]; [|discriminate]. now apply X.
    - assert (N : forall m, (forall p, In p m -> In p (l ++ k)) -> times a m t = 0%nat).
      { intros m M. unfold times. enough (F : filter (fun p => is_true (mt a (fst p)) && same_row (mts a (snd p)) t) m = []) by now rewrite F.
        induction m as [|p m IH]; auto. cbn [filter]. destruct (is_true (mt a (fst p)) && same_row (mts a (snd p)) t) eqn:P; [|apply IH; intros; apply M; now right].
        assert (existsb (fun p => is_true (mt a (fst p)) && same_row (mts a (snd p)) t) (l ++ k) = true); [|congruence]. apply existsb_exists. exists p. split; auto. apply M. now left. }
      rewrite !N; auto; intros p P; apply in_or_app; auto.
  Qed.
  (** The premises of a matched pair (ConditionHolds twice, HeadsAgree) give those of the group of the two. *)
  Lemma pair_is_group a c h d k : (is_true (mt a c) = true -> is_true (mt a d) = true) -> (is_true (mt a d) = true -> is_true (mt a c) = true) ->
    (is_true (mt a c) = true -> is_true (mt a d) = true -> mts a h = mts a k) -> forall g, mt a (count g [(c, h)]) = mt a (count g [(d, k)]).
  Proof.
    intros A B C g. rewrite !count_ok. unfold times. cbn [filter fst snd]. destruct (is_true (mt a c)), (is_true (mt a d)); [rewrite (C eq_refl eq_refl); now destruct (same_row (mts a k) (mts a g))|discriminate (A eq_refl)|discriminate (B eq_refl)|reflexivity].
  Qed.

  (** All groups, up to the order of monomials and of their slots. *)
  Record group := { over : list source; lefts : ends; rights : ends }.
  Definition covers (l k : list mono) : Prop := exists l', Permutation l l' /\ Forall2 (same_mono w blocks named) l' k.
  Lemma covers_rows l k e : covers l k -> Permutation (rows_of e l) (rows_of e k).
  Proof.
    intros (l' & P & F). transitivity (rows_of e l').
    - unfold rows_of. clear -P. induction P; cbn [flat_map]; auto; [now apply Permutation_app_head|rewrite !app_assoc; apply Permutation_app_tail, Permutation_app_comm|etransitivity; eauto].
    - clear P. unfold rows_of. induction F; cbn [flat_map]; auto. apply Permutation_app; auto.
  Qed.
  Theorem bag_sound rows given b c gs :
    covers b (flat_map (fun g => map (member (over g)) (lefts g)) gs) -> covers c (flat_map (fun g => map (member (over g)) (rights g)) gs) ->
    Forall (fun g => Forall valid (group_premises rows given (over g) (lefts g) (rights g))) gs ->
    forall e, In e (choices base rows) -> is_true (mt e given) = true -> Permutation (rows_of e b) (rows_of e c).
  Proof.
    intros L R V e E G. rewrite (covers_rows _ _ e L), (covers_rows _ _ e R). clear L R. induction V as [|g gs V _ IH]; cbn [flat_map]; auto.
    unfold rows_of in *. rewrite !flat_map_app. apply Permutation_app; auto. exact (group_sound rows given _ _ _ V e E G).
  Qed.
End Bag.
