(** * Values and bags

    The order of values is total, so that sorting is a normal form of bags: [bag l = bag k] exactly when [Permutation l k].  Equal
    bags are then equal in Coq, and CONG is substitution.  The last part is about folds: where steps commute in all states that are
    reached, the order of elements does not matter. *)
From Tallystick Require Export Semantics.

Definition in_order : cluster := fun _ f z l => fold_left f l z.
Arguments in_order _ _ _ _ /.
Notation eval := (run in_order).
Definition meaning (r : env) (t : term) := eval r nothing nothing t.

Section ValInd.
  Variable P : val -> Prop.
  Hypothesis HI : forall z, P (VInt z).
  Hypothesis HB : forall b, P (VBool b).
  Hypothesis HX : forall s, P (VText s).
  Hypothesis HN : P VNone.
  Hypothesis HS : forall v, P v -> P (VSome v).
  Hypothesis HT : forall vs, Forall P vs -> P (VTup vs).
  Hypothesis HG : forall vs, Forall P vs -> P (VBag vs).
  Fixpoint val_ind' (v : val) : P v :=
    let fix all (vs : list val) : Forall P vs :=
      match vs with [] => Forall_nil _ | v :: r => Forall_cons _ (val_ind' v) (all r) end in
    match v with VInt z => HI z | VBool b => HB b | VText s => HX s | VNone => HN | VSome v => HS v (val_ind' v) | VTup vs => HT vs (all vs) | VBag vs => HG vs (all vs) end.
End ValInd.

Fixpoint lex (vs ws : list val) : comparison :=
  match vs, ws with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | v :: vs, w :: ws => match vcompare v w with Eq => lex vs ws | c => c end
  end.
Lemma vcompare_tup vs ws : vcompare (VTup vs) (VTup ws) = lex vs ws.
Proof. reflexivity. Qed.
Lemma vcompare_bag vs ws : vcompare (VBag vs) (VBag ws) = lex vs ws.
Proof. reflexivity. Qed.

Lemma text_compare_refl s : String.compare s s = Eq.
Proof. pose proof (String.compare_antisym s s) as E. destruct (String.compare s s); auto; discriminate. Qed.
Lemma text_compare_trans s t u : String.compare s t = Lt -> String.compare t u = Lt -> String.compare s u = Lt.
Proof.
  revert t u; induction s as [|a s IH]; intros [|b t] [|c u]; cbn; try discriminate; auto. unfold Ascii.compare.
  destruct (N.compare_spec (Ascii.N_of_ascii a) (Ascii.N_of_ascii b)) as [E|E|E], (N.compare_spec (Ascii.N_of_ascii b) (Ascii.N_of_ascii c)) as [F|F|F];
    try discriminate; intros A B.
  - rewrite E, F, N.compare_refl. eauto.
  - rewrite E. now rewrite (proj2 (N.compare_lt_iff _ _) F).
  - rewrite <- F. now rewrite (proj2 (N.compare_lt_iff _ _) E).
  - now rewrite (proj2 (N.compare_lt_iff _ _) (N.lt_trans _ _ _ E F)).
Qed.

Lemma vcompare_refl v : vcompare v v = Eq.
Proof.
  induction v using val_ind'; try (cbn; auto using Z.compare_refl, text_compare_refl; fail); rewrite ?vcompare_tup, ?vcompare_bag;
    induction H; cbn; rewrite ?H; auto.
Qed.
Lemma vcompare_eq v w : vcompare v w = Eq -> v = w.
Proof.
  revert w; induction v using val_ind'; destruct w; rewrite ?vcompare_tup, ?vcompare_bag; try (cbn; discriminate).
  - cbn; intros E; apply Z.compare_eq in E; congruence.
  - destruct b, b0; cbn; congruence.
  - cbn. intros E. f_equal. now apply String.compare_eq_iff.
  - auto.
  - cbn. intros E. f_equal. auto.
  - intros E. f_equal. revert vs0 E; induction H; destruct vs0; cbn; try discriminate; auto.
    destruct (vcompare x v) eqn:E1; try discriminate. intros; f_equal; auto.
  - intros E. f_equal. revert vs0 E; induction H; destruct vs0; cbn; try discriminate; auto.
    destruct (vcompare x v) eqn:E1; try discriminate. intros; f_equal; auto.
Qed.
Lemma vcompare_antisym v w : vcompare w v = CompOpp (vcompare v w).
Proof.
  revert w; induction v using val_ind'; destruct w; rewrite ?vcompare_tup, ?vcompare_bag; try reflexivity.
  - cbn; apply Z.compare_antisym.
  - cbn; apply Z.compare_antisym.
  - cbn; apply String.compare_antisym.
  - cbn; auto.
  - revert vs0; induction H; destruct vs0; cbn; auto. rewrite H. destruct (vcompare x v); cbn; auto.
  - revert vs0; induction H; destruct vs0; cbn; auto. rewrite H. destruct (vcompare x v); cbn; auto.
Qed.
Lemma vcompare_trans u v w : vcompare u v = Lt -> vcompare v w = Lt -> vcompare u w = Lt.
Proof.
  revert v w.
  assert (L : forall us, Forall (fun u => forall v w, vcompare u v = Lt -> vcompare v w = Lt -> vcompare u w = Lt) us ->
      forall vs ws, lex us vs = Lt -> lex vs ws = Lt -> lex us ws = Lt).
  { induction 1; destruct vs, ws; cbn; try discriminate; auto. intros A B.
    destruct (vcompare x v) eqn:E1; destruct (vcompare v v0) eqn:E2; try discriminate.
    - apply vcompare_eq in E1, E2; subst. rewrite vcompare_refl. eauto.
    - apply vcompare_eq in E1; subst. rewrite E2. auto.
    - apply vcompare_eq in E2; subst. rewrite E1. auto.
    - rewrite (H _ _ E1 E2). auto. }
  induction u using val_ind'; destruct v, w; rewrite ?vcompare_tup, ?vcompare_bag; try (cbn; discriminate); auto.
  - cbn. rewrite !Z.compare_lt_iff. lia.
  - cbn. rewrite !Z.compare_lt_iff. lia.
  - cbn. apply text_compare_trans.
  - cbn. eauto.
  - eauto.
  - eauto.
Qed.

Lemma veqb_eq v w : veqb v w = true <-> v = w.
Proof.
  unfold veqb. split; [destruct (vcompare v w) eqn:E; try discriminate; auto using vcompare_eq|].
  intros ->; now rewrite vcompare_refl.
Qed.
Lemma veqb_refl v : veqb v v = true. Proof. now apply veqb_eq. Qed.
Lemma veqb_neq v w : veqb v w = false <-> v <> w.
Proof. rewrite <- veqb_eq; destruct (veqb v w); split; congruence. Qed.

Lemma vleb_total v w : vleb v w = false -> vleb w v = true.
Proof. unfold vleb. rewrite (vcompare_antisym v w). destruct (vcompare v w); cbn; congruence. Qed.
Lemma vleb_antisym v w : vleb v w = true -> vleb w v = true -> v = w.
Proof.
  unfold vleb. rewrite (vcompare_antisym v w). destruct (vcompare v w) eqn:E; cbn; try discriminate.
  auto using vcompare_eq.
Qed.
Lemma vleb_trans u v w : vleb u v = true -> vleb v w = true -> vleb u w = true.
Proof.
  unfold vleb. destruct (vcompare u v) eqn:E1; destruct (vcompare v w) eqn:E2; try discriminate; intros _ _;
    repeat match goal with H : vcompare _ _ = Eq |- _ => apply vcompare_eq in H; subst end.
  - now rewrite vcompare_refl. - now rewrite E2. - now rewrite E1.
  - now rewrite (vcompare_trans _ _ _ E1 E2).
Qed.

Lemma insert_comm v w l : insert v (insert w l) = insert w (insert v l).
Proof.
  induction l as [|u l IH]; cbn.
  - destruct (vleb v w) eqn:A, (vleb w v) eqn:B; auto.
    + rewrite (vleb_antisym v w); auto.
    + apply vleb_total in A; congruence.
  - destruct (vleb w u) eqn:A, (vleb v u) eqn:B; cbn; rewrite ?A, ?B; auto.
    + destruct (vleb v w) eqn:C, (vleb w v) eqn:D; rewrite ?A, ?B; auto.
      * rewrite (vleb_antisym v w); auto.
      * apply vleb_total in C; congruence.
    + destruct (vleb v w) eqn:C; rewrite ?B; auto. rewrite (vleb_trans v w u) in B; congruence.
    + destruct (vleb w v) eqn:C; rewrite ?A; auto. rewrite (vleb_trans w v u) in A; congruence.
    + now rewrite IH.
Qed.
Lemma insert_perm v l : Permutation (v :: l) (insert v l).
Proof.
  induction l as [|u l IH]; cbn; auto. destruct (vleb v u); auto.
  etransitivity; [apply perm_swap|]. now constructor.
Qed.
Lemma sort_perm l : Permutation l (sort l).
Proof. induction l; cbn; auto. etransitivity; [constructor; apply IHl|apply insert_perm]. Qed.
Lemma sort_same l l' : Permutation l l' -> sort l = sort l'.
Proof. induction 1; cbn; try congruence. apply insert_comm. Qed.
Lemma bag_same l l' : bag l = bag l' <-> Permutation l l'.
Proof.
  unfold bag; split.
  - intros [= E]. etransitivity; [apply sort_perm|]. rewrite E. symmetry. apply sort_perm.
  - intros P. f_equal. now apply sort_same.
Qed.
Lemma sort_sort l : sort (sort l) = sort l.
Proof. apply sort_same. symmetry. apply sort_perm. Qed.
Lemma elements_bag l : Permutation (elements (bag l)) l.
Proof. cbn. symmetry. apply sort_perm. Qed.

Lemma dedup_in v l : In v (dedup l) <-> In v l.
Proof.
  induction l as [|w l IH]; cbn; [tauto|]. rewrite filter_In, IH.
  destruct (veqb w v) eqn:E; cbn.
  - apply veqb_eq in E; subst. intuition congruence.
  - intuition.
Qed.
Lemma NoDup_filter' {A} (p : A -> bool) l : NoDup l -> NoDup (filter p l).
Proof.
  induction 1; cbn; [constructor|]. destruct (p x); auto. constructor; auto. rewrite filter_In; tauto.
Qed.
Lemma dedup_nodup l : NoDup (dedup l).
Proof.
  induction l as [|v l IH]; cbn; constructor.
  - rewrite filter_In, veqb_refl; cbn. intuition congruence.
  - now apply NoDup_filter'.
Qed.
Lemma Permutation_filter {A} (p : A -> bool) l l' : Permutation l l' -> Permutation (filter p l) (filter p l').
Proof.
  induction 1; cbn; auto.
  - destruct (p x); auto.
  - destruct (p x), (p y); auto. apply perm_swap.
  - etransitivity; eauto.
Qed.
Lemma Permutation_flat_map' {A B} (f g : A -> list B) l l' :
  Permutation l l' -> (forall x, In x l -> Permutation (f x) (g x)) -> Permutation (flat_map f l) (flat_map g l').
Proof.
  intros P. induction P; cbn; intros F; auto.
  - apply Permutation_app; auto.
  - rewrite !app_assoc. apply Permutation_app.
    + etransitivity; [apply Permutation_app_comm|]. apply Permutation_app; auto.
    + assert (forall k, (forall z, In z k -> Permutation (f z) (g z)) -> Permutation (flat_map f k) (flat_map g k)).
      { induction k; cbn; intros; auto using Permutation_app. }
      auto.
  - etransitivity; [apply IHP1; auto|].
    assert (forall k, (forall z, In z k -> Permutation (f z) (g z)) -> Permutation (flat_map g k) (flat_map f k)).
    { induction k; cbn; intros; auto. apply Permutation_app; auto. symmetry; auto. }
    etransitivity; [|apply IHP2]. 
    + apply H. intros; apply F. eapply Permutation_in; [symmetry|]; eauto.
    + intros; apply F. eapply Permutation_in; [symmetry|]; eauto.
Qed.

(** Folds do not depend on the order of elements when steps commute in all states that are reached. *)
Lemma fold_left_perm {A B} (f : A -> B -> A) (Q : B -> Prop) (R : A -> Prop) :
  (forall a y, R a -> Q y -> R (f a y)) ->
  (forall a y z, R a -> Q y -> Q z -> f (f a y) z = f (f a z) y) ->
  forall l l', Permutation l l' -> Forall Q l -> forall a, R a -> fold_left f l a = fold_left f l' a.
Proof.
  intros HR HC l l' P; induction P; cbn; intros F a Ha; auto.
  - inversion F; subst. auto.
  - inversion F; subst. inversion H2; subst. now rewrite HC.
  - rewrite IHP1 by auto. apply IHP2; auto. eapply Permutation_Forall; eauto.
Qed.

(** Types. *)
Lemma has_type_tup vs ts : has_type (VTup vs) (TTup ts) <-> Forall2 has_type vs ts.
Proof.
  revert ts; induction vs as [|v vs IH]; intros [|t ts]; cbn; split; intros H; try tauto; try (inversion H; fail); constructor.
  - apply H. - apply IH, H. - inversion H; auto. - apply IH. inversion H; auto.
Qed.
Lemma has_type_bag vs t : has_type (VBag vs) (TBag t) <-> Forall (fun v => has_type v t) vs /\ sort vs = vs.
Proof.
  cbn. enough (E : (fix each (vs : list val) (t : ty) : Prop :=
      match vs with [] => True | v :: vs => has_type v t /\ each vs t end) vs t <-> Forall (fun v => has_type v t) vs) by tauto.
  induction vs; split; auto; intros H.
  - constructor; [apply H|apply IHvs, H].
  - inversion H; split; auto. apply IHvs; auto.
Qed.
Lemma has_type_bag_of l t : Forall (fun v => has_type v t) l -> has_type (bag l) (TBag t).
Proof.
  intros H. apply has_type_bag. split; [|apply sort_sort]. eapply Permutation_Forall; [apply sort_perm|auto].
Qed.
Lemma has_type_elements v t : has_type v (TBag t) -> Forall (fun x => has_type x t) (elements v).
Proof. destruct v; try (cbn; tauto). intros H. apply has_type_bag in H. tauto. Qed.
Lemma typed_bag v t : has_type v (TBag t) -> v = bag (elements v).
Proof. destruct v; try (cbn; tauto). intros H; apply has_type_bag in H. unfold bag. cbn. now rewrite (proj2 H). Qed.
