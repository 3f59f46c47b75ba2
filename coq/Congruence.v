(** * CONG: equal parts of both sides are replaced by one fresh variable

    TRANS, SYM and REFLEXIVE need no lemma: they are those of equality. *)
From Tallystick Require Export Rules.

Definition replace (p u : term) (t : term) : option term := if term_eqb t p then Some u else None.
Theorem congruence_ok G P Q S1 S2 x t : goal_ok G P Q = true -> type S1 = Some t -> type S2 = Some t ->
  is_slot x = false -> occurs x G || occurs x P || occurs x Q = false ->
  judged G S1 S2 -> judged G (substitute (replace S1 (Var x t)) P) (substitute (replace S2 (Var x t)) Q) -> judged G P Q.
Proof.
  unfold goal_ok. rewrite !andb_true_iff, !orb_false_iff. intros ((((PG & PP) & PQ) & TG) & TQ) T1 T2 SX ((XG & XP) & XQ) J1 J2 r R HG.
  destruct (type P) as [k|] eqn:TP; [|discriminate]. apply is_eq in TQ.
  set (r' := set r x t (meaning r S1)).
  assert (R' : typed r') by (apply set_typed; auto; eapply preservation; eauto; cbn; auto).
  assert (U : forall z y u, occurs x z = false -> uses y u z = true -> r y u = r' y u).
  { intros z y u O Z. unfold r', set. destruct (name_eqb y x) eqn:N; auto. apply name_eqb_eq in N; subst. apply uses_occurs in Z. congruence. }
  assert (E : forall part z j, type part = Some t -> meaning r part = meaning r S1 -> occurs x z = false -> type z = Some j ->
      meaning r' (substitute (replace part (Var x t)) z) = meaning r z).
  { intros part z j TPart M O TZ. apply (substitute_ok r r' (replace part (Var x t)) R R') with (ce := None) (ca := None) (u := j); cbn; auto.
    - intros p w W. unfold replace in W. destruct (term_eqb p part) eqn:Q'; [|discriminate]. inversion W; subst. apply term_eqb_eq in Q'; subst.
      exists t. repeat split; auto. unfold meaning at 1; cbn. unfold r', set. rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl. cbn. congruence.
    - intros y u Z _. exact (U z y u O Z). }
  rewrite <- (E S1 P k), <- (E S2 Q k); auto.
  - apply J2; auto. rewrite <- HG. f_equal. apply meaning_ext. intros y u Z. symmetry. exact (U G y u XG Z).
  - symmetry. now apply J1.
Qed.
