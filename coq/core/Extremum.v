(** * Nodes: Extremum, its Use, and Sign *)
From Tallystick.core Require Export Nodes Summaries SumRule.

Definition earlier (f : Core.function) (u v : value) : bool := match f with Greatest => less v u | _ => less u v end.
Definition is_extremum (f : Core.function) : bool := match f with Least | Greatest => true | _ => false end.
Lemma extremum_of f vs : is_extremum f = true -> let v := fold_right (combined f) Null vs in
  (v = Null \/ (In v vs /\ is_null v = false)) /\ (forall u, In u vs -> is_null u = false -> is_null v = false /\ earlier f u v = false).
Proof.
  intros F. cbv zeta. induction vs as [|u vs [A B]]; cbn [fold_right]; [split; [now left|intros u []]|]. set (v := fold_right (combined f) Null vs) in *. unfold combined.
  destruct (is_null u) eqn:U.
  - split; [destruct A as [A|[A N]]; [now left|right; split; [now right|exact N]]|]. intros x [<-|X] N; [congruence|now apply B].
  - destruct (is_null v) eqn:V.
    + split; [right; split; [now left|exact U]|]. intros x [<-|X] N; [split; auto; destruct f; try discriminate; apply less_not|]. destruct (B x X N). congruence.
    + assert (BT : better f u v = u \/ better f u v = v) by (destruct f; try discriminate; cbn [better]; match goal with |- context [if ?c then _ else _] => destruct c end; auto).
      split; [right; split; [destruct BT as [->| ->]; [now left|right; destruct A as [A|[A _]]; [rewrite A in V; discriminate|exact A]]|now apply better_null]|].
      intros x X N. split; [now apply better_null|]. assert (T : x = u \/ earlier f x v = false) by (destruct X as [X|X]; [now left|right; now apply B]). clear -F T.
      destruct f; try discriminate; cbn [better earlier] in *.
      * destruct (less v u) eqn:L; destruct T as [->|T]; auto; [now apply less_asym|apply less_not|]. apply not_true_is_false. intros Q.
        destruct (less u v) eqn:M; [rewrite (less_trans _ _ _ Q M) in T; discriminate|rewrite (less_total _ _ M L) in Q; congruence].
      * destruct (less u v) eqn:L; destruct T as [->|T]; auto; [now apply less_asym|apply less_not|]. apply not_true_is_false. intros Q.
        destruct (less v u) eqn:M; [rewrite (less_trans _ _ _ M Q) in T; discriminate|rewrite (less_total _ _ M L) in T; congruence].
Qed.

Section Nodes.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value) (base : env).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mb := (mb w blocks named).
  Notation choices := (choices w blocks named).
  Notation refuted := (refuted w blocks named base).
  Definition head_of (m : mono) : term := first (snd (snd (ends_of m))).
  Definition condition_of (m : mono) : term := fst (snd (ends_of m)).
  Definition lesser (a b : term) : term := ap2 (Scalar (SCompare Less)) a b.
  Lemma first_ok a h : hd Null (mts a h) = mt a (first h).
  Proof. now destruct h. Qed.
  Lemma lesser_ok a t u : is_true (mt a (lesser t u)) = negb (is_null (mt a t)) && negb (is_null (mt a u)) && less (mt a t) (mt a u).
  Proof. change (mt a (lesser t u)) with (compare Less (mt a t) (mt a u)). unfold compare. destruct (is_null (mt a t)), (is_null (mt a u)); auto. Qed.

  (** The extremum is NULL, or the head of some monomial. *)
  Theorem extremum_ok rows facts f b : is_extremum f = true -> let v := Summary (Of f) b in
    refuted rows (neg (ap1 Known v) :: facts) ->
    (forall m, In m (Nodes.monos b) -> let n := List.length (fst (ends_of m)) in
      refuted (rows ++ fst (ends_of m)) (condition_of m :: ap2 IsSame (shift n v) (head_of m) :: extended n facts)) -> refuted rows facts.
  Proof.
    intros F v A R e E T. destruct (extremum_of f (map (hd Null) (mb e b)) F) as [[N|[I N]] _].
    - apply (A e E). constructor; auto. change (negb (negb (is_null (mt e v))) = true). replace (mt e v) with Null; auto. symmetry. destruct f; try discriminate; exact N.
    - apply in_map_iff in I as (r & H & I). apply in_bag in I as (m & M & I). apply in_mono in I as (a & X & C & ->). apply (R m M a (more_rows _ _ _ _ _ _ _ _ E X)).
      pose proof (choices_outer w blocks named _ _ _ X) as O. constructor; [exact C|]. constructor; [|now apply (extended_ok w blocks named _ e)].
      change (same (mt a (shift (List.length (fst (ends_of m))) v)) (mt a (head_of m)) = true). rewrite (shift_ok w blocks named _ v e a O). unfold head_of. rewrite <- first_ok, H.
      unfold same. destruct (value_eq_dec _ _) as [|D]; auto. exfalso. apply D. destruct f; try discriminate; reflexivity.
  Qed.
  (** Where a head of a monomial that holds of rows of the branch is not NULL, the extremum is not, and the head does not come before it. *)
  Theorem extremum_use rows facts f b m places x : is_extremum f = true -> In m (Nodes.monos b) -> Nodes.placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    let v := Summary (Of f) b in
    refuted rows (implies (conj2 (rt x (condition_of m)) (ap1 Known (rt x (head_of m)))) (conj2 (ap1 Known v) (neg (match f with Greatest => lesser v (rt x (head_of m)) | _ => lesser (rt x (head_of m)) v end))) :: facts) -> refuted rows facts.
  Proof.
    intros F M P v R e E T. apply (R e E). constructor; auto. apply implies_ok. destruct (Nodes.placed_ok w blocks named base rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    rewrite !conj2_ok, !andb_true_iff. rewrite (rt_ok w blocks named (condition_of m) a e x) by (intros; now rewrite H). intros [C K]. change (negb (is_null (mt e (rt x (head_of m)))) = true) in K. apply negb_true_iff in K. destruct (extremum_of f (map (hd Null) (mb e b)) F) as [_ B].
    assert (I : In (hd Null (mts a (snd (snd (ends_of m))))) (map (hd Null) (mb e b))) by (apply in_map, in_bag; exists m; split; auto; apply in_mono; eauto).
    assert (HH : mt e (rt x (head_of m)) = hd Null (mts a (snd (snd (ends_of m))))) by (rewrite (rt_ok w blocks named _ a e x) by (intros; now rewrite H); symmetry; apply first_ok).
    specialize (B _ I). rewrite <- HH in B. assert (V : mt e v = fold_right (combined f) Null (map (hd Null) (mb e b))) by (destruct f; try discriminate; reflexivity). rewrite <- V in B.
    destruct (B K) as [VN E']. split; [change (negb (is_null (mt e v)) = true); now rewrite VN|].
    change (negb (is_true (mt e (match f with Greatest => lesser v (rt x (head_of m)) | _ => lesser (rt x (head_of m)) v end))) = true). apply negb_true_iff.
    destruct f; try discriminate; rewrite lesser_ok, VN, K; exact E'.
  Qed.
  (** A sum of weights none of which is negative is not negative. *)
  Theorem sign_ok rows facts b : (forall m, In m (Nodes.monos b) -> refuted (rows ++ fst (ends_of m)) (condition_of m :: lesser (head_of m) zero :: extended (List.length (fst (ends_of m))) facts)) ->
    refuted rows (neg (lesser (Total b) zero) :: facts) -> refuted rows facts.
  Proof.
    intros W R e E T. apply (R e E). constructor; auto. change (negb (is_true (mt e (lesser (Total b) zero))) = true). apply negb_true_iff. rewrite lesser_ok.
    change (mt e (Total b)) with (Number (qsum (map weight (mb e b)))). change (mt e zero) with (number 0). cbn [is_null negb andb].
    change (lt_c (qsum (map weight (mb e b))) (whole 0) = false). apply not_true_is_false. rewrite lt_c_ok. apply Qcle_not_lt.
    assert (P : forall r, In r (mb e b) -> Qcle (whole 0) (weight r)).
    { intros r I. apply in_bag in I as (m & M & I). apply in_mono in I as (a & X & C & ->). unfold weight. rewrite first_ok. fold (head_of m).
      destruct (mt a (head_of m)) as [|q| | |] eqn:Q; cbn [num]; try apply Qcle_refl. apply Qcnot_lt_le. intros LT. rewrite <- lt_c_ok in LT.
      apply (W m M a (more_rows _ _ _ _ _ _ _ _ E X)). constructor; [exact C|]. constructor; [|apply (extended_ok w blocks named _ e); auto; exact (choices_outer w blocks named _ _ _ X)].
      rewrite lesser_ok, Q. exact LT. }
    induction (mb e b) as [|r l IH]; [apply Qcle_refl|]. cbn [map]. rewrite qsum_cons. rewrite <- (plus_0_r (whole 0)). apply Qcplus_le_compat; [apply P; now left|apply IH; intros; apply P; now right].
  Qed.
  (** Without an element a sum is 0. *)
  Lemma nothing_weighs e b : is_true (mt e (Ex b)) = true \/ mt e (Total b) = number 0.
  Proof. change (mt e (Ex b)) with (Truth match mb e b with [] => false | _ => true end). change (mt e (Total b)) with (Number (qsum (map weight (mb e b)))). destruct (mb e b); [now right|now left]. Qed.
  Definition weight_of (t : term) : term := Apply Add (Tc t Tn).
  (** Where no weight is negative, a sum is at least the weight of a monomial that holds of rows of the branch. *)
  Theorem weighs rows facts b m places x : (forall m, In m (Nodes.monos b) -> refuted (rows ++ fst (ends_of m)) (condition_of m :: lesser (head_of m) zero :: extended (List.length (fst (ends_of m))) facts)) ->
    In m (Nodes.monos b) -> Nodes.placed rows (fun j => j) (fst (ends_of m)) places = Some x ->
    refuted rows (implies (rt x (condition_of m)) (neg (lesser (Total b) (weight_of (rt x (head_of m))))) :: facts) -> refuted rows facts.
  Proof.
    intros W M P R e E T. apply (R e E). constructor; auto. apply implies_ok. destruct (Nodes.placed_ok w blocks named base rows e _ E places e _ x (fun _ => eq_refl) P) as (a & A & H).
    rewrite (rt_ok w blocks named _ a e x) by (intros; now rewrite H). intros C. change (negb (is_true (mt e (lesser (Total b) (weight_of (rt x (head_of m)))))) = true). apply negb_true_iff. rewrite lesser_ok.
    change (mt e (weight_of ?t)) with (Number (num (mt e t) + whole 0)%Qc). rewrite (rt_ok w blocks named (head_of m) a e x) by (intros; now rewrite H). rewrite SumRule.plus_0_r. change (mt e (Total b)) with (Number (qsum (map weight (mb e b)))). cbn [is_null negb andb].
    assert (N : forall r, In r (mb e b) -> Qcle (whole 0) (weight r)).
    { intros r I. apply in_bag in I as (m' & M' & I). apply in_mono in I as (a' & X & C' & ->). unfold weight. rewrite first_ok. fold (head_of m').
      destruct (mt a' (head_of m')) as [|q| | |] eqn:Q; cbn [num]; try apply Qcle_refl. apply Qcnot_lt_le. intros LT. rewrite <- lt_c_ok in LT.
      apply (W m' M' a' (more_rows _ _ _ _ _ _ _ _ E X)). constructor; [exact C'|]. constructor; [|apply (extended_ok w blocks named _ e); auto; exact (choices_outer w blocks named _ _ _ X)].
      rewrite lesser_ok, Q. exact LT. }
    assert (I : In (mts a (snd (snd (ends_of m)))) (mb e b)) by (apply in_bag; exists m; split; auto; apply in_mono; eauto).
    assert (WT : weight (mts a (snd (snd (ends_of m)))) = num (mt a (head_of m))) by (unfold weight; now rewrite first_ok).
    assert (S' : Qcle (num (mt a (head_of m))) (qsum (map weight (mb e b)))).
    { rewrite <- WT. clear -I N. induction (mb e b) as [|r l IH]; [destruct I|]. cbn [map]. rewrite qsum_cons. destruct I as [->|I].
      - rewrite <- (SumRule.plus_0_r (weight (mts a (snd (snd (ends_of m)))))) at 1. apply Qcplus_le_compat; [apply Qcle_refl|].
        assert (Z : forall r, In r l -> Qcle (whole 0) (weight r)) by (intros; apply N; now right). clear -Z. induction l as [|r l IH]; [apply Qcle_refl|]. cbn [map]. rewrite qsum_cons.
        rewrite <- (SumRule.plus_0_r (whole 0)). apply Qcplus_le_compat; [apply Z; now left|apply IH; intros; apply Z; now right].
      - specialize (IH ltac:(intros; apply N; now right) I). rewrite <- (SumRule.plus_0_l (weight (mts a (snd (snd (ends_of m)))))). apply Qcplus_le_compat; [apply N; now left|exact IH]. }
    apply not_true_is_false. change (lt_c (qsum (map weight (mb e b))) (num (mt a (head_of m))) <> true). rewrite lt_c_ok. now apply Qcle_not_lt.
  Qed.
End Nodes.
